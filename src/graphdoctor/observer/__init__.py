"""Running program → recording: sees every trace and changes nothing.

Only the standard library and the observed program's own TensorFlow are imported here, because
this package also runs inside environments that hold neither graphdoctor nor its dependencies.
"""
