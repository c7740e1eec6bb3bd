import tempfile

import tensorflow as tf

from intent.model import IntentModel
from intent.training import fit


def main():
    model = IntentModel()
    print(f"loss {fit(model):.4f}")
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(model, folder, signatures={"serving_default": model.serve})
        loaded = tf.saved_model.load(folder)
        answer = loaded.signatures["serving_default"](texts=tf.constant(["lamp on", "play music"]))
        print([a.decode() for a in answer["intent"].numpy()])


if __name__ == "__main__":
    main()
