from .focal import focal as focal_loss
