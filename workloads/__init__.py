"""Reference workloads: programs that train and run in graph mode."""

from graphdoctor.log_filter import hide_log_noise

hide_log_noise()  # here, because the modules that are started as programs import TensorFlow first thing
