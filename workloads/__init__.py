"""Reference workloads: programs that train and run in graph mode."""

from graphdoctor.chatter import hide_chatter

hide_chatter()  # here, because the modules that are started as programs import TensorFlow first thing
