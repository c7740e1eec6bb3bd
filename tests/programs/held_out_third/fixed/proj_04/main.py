import keras
from keras import layers

from onset.config import AudioConfig, TrainConfig
from onset.pipeline import dataset


def frame_classifier(audio):
    inp = keras.Input((None, audio.bands))
    x = layers.Conv1D(16, 3, padding="same", activation="relu")(inp)
    x = layers.Conv1D(1, 3, padding="same", activation="sigmoid")(x)
    return keras.Model(inp, layers.Reshape((-1,))(x))


def main():
    keras.utils.set_random_seed(0)
    audio, train = AudioConfig(), TrainConfig()
    model = frame_classifier(audio)
    model.compile(keras.optimizers.Adam(train.lr), "binary_crossentropy", metrics=["AUC"])
    hist = model.fit(dataset(audio, train, 48, 0), epochs=train.epochs, verbose=0,
                     validation_data=dataset(audio, train, 16, 1))
    for epoch, (loss, auc) in enumerate(zip(hist.history["loss"], hist.history["val_AUC"])):
        print(f"epoch {epoch} loss {loss:.4f} val AUC {auc:.3f}")


if __name__ == "__main__":
    main()
