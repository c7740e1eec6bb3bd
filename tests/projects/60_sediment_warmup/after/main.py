import numpy as np

from sediment.callbacks import Warmup
from sediment.model import GrainModel

spectra = np.random.default_rng(3).random((64, 12)).astype("float32")
model = GrainModel(latent=3)
model.compile(optimizer="adam")
history = model.fit(spectra, epochs=4, batch_size=16, verbose=0, shuffle=False,
                    callbacks=[Warmup(epochs=3)])
print("weights used", [round(value, 3) for value in history.history["kl_weight"]])
