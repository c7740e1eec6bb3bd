"""graphdoctor for Keras: `model.fit(..., callbacks=[graphdoctor.keras.Doctor()])`."""

from graphdoctor.integrations.keras_callback import Doctor

__all__ = ["Doctor"]
