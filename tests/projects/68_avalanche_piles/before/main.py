import numpy as np

from avalanche.model import SlopeModel

model = SlopeModel()
print(model.predict(np.ones((2, 5), "float32"), verbose=0).shape)
