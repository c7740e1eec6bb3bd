from .model import SetNet
