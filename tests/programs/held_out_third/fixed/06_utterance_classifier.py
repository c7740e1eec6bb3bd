# %% Speaker-gender style classifier on utterances of very different length
import numpy as np
import tensorflow as tf

SR = 4000
rng = np.random.default_rng(42)

# %% fake corpus: two "voices" with different pitch


def utterance(voice):
    seconds = rng.uniform(0.4, 1.6)
    n = int(SR * seconds)
    pitch = rng.normal(120 if voice == 0 else 210, 10)
    tt = np.arange(n) / SR
    sig = sum(np.sin(2 * np.pi * pitch * k * tt) / k for k in (1, 2, 3))
    return (sig + rng.normal(0, 0.2, n)).astype("float32")


voices = rng.integers(0, 2, 48)
corpus = [(utterance(v), int(v)) for v in voices]


# %% features
def log_spectrogram(wave):
    spec = tf.signal.stft(wave, frame_length=256, frame_step=128)
    return tf.math.log(tf.abs(spec) + 1e-3)


def collate(items):
    """Pad the spectrograms of a mini-batch to its longest member."""
    feats = [log_spectrogram(w).numpy() for w, _ in items]
    longest = max(f.shape[0] for f in feats)
    out = np.zeros((len(feats), longest, feats[0].shape[1]), "float32")
    for i, f in enumerate(feats):
        out[i, : len(f)] = f
    lengths = np.array([len(f) for f in feats], "int32")
    return out, lengths, np.array([v for _, v in items], "int32")


# %% model


class Pooler(tf.Module):
    def __init__(self, n_feat, n_cls):
        super().__init__()
        init = tf.random.Generator.from_seed(3)
        self.w1 = tf.Variable(init.normal([n_feat, 16], stddev=0.1))
        self.b1 = tf.Variable(tf.zeros([16]))
        self.w2 = tf.Variable(init.normal([16, n_cls], stddev=0.1))

    def logits(self, feats, lengths):
        h = tf.nn.relu(tf.einsum("btf,fh->bth", feats, self.w1) + self.b1)
        mask = tf.sequence_mask(lengths, tf.shape(feats)[1], dtype=tf.float32)[..., None]
        pooled = tf.reduce_sum(h * mask, axis=1) / tf.reduce_sum(mask, axis=1)
        return pooled @ self.w2

    @tf.function(input_signature=[
        tf.TensorSpec([None, None, 129], tf.float32),
        tf.TensorSpec([None], tf.int32),
        tf.TensorSpec([None], tf.int32),
    ])
    def learn(self, feats, lengths, target):
        with tf.GradientTape() as tape:
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=target, logits=self.logits(feats, lengths))
            loss = tf.reduce_mean(ce)
        for v, g in zip(self.trainable_variables, tape.gradient(loss, self.trainable_variables)):
            v.assign_sub(0.1 * g)
        return loss


# %% training
model = Pooler(n_feat=129, n_cls=2)
for epoch in range(3):
    order = rng.permutation(len(corpus))
    losses = []
    for start in range(0, len(order), 4):
        feats, lengths, target = collate([corpus[i] for i in order[start : start + 4]])
        losses.append(float(model.learn(tf.constant(feats), tf.constant(lengths), tf.constant(target))))
    print(f"epoch {epoch}: {np.mean(losses):.4f}")
