from .net import SpikeNet
