# %% [markdown]
# Rolling-origin evaluation of a small autoregressive model (exported notebook)

# %%
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
t = np.arange(400)
series = (np.sin(t / 9.0) + 0.1 * rng.randn(400)).astype("float32")
LAGS = 12

# %%
def windows(values, lags=LAGS):
    x = np.stack([values[i:i + lags] for i in range(len(values) - lags)])
    return x, values[lags:, None]


def linear_model(lags=LAGS):
    w = tf.Variable(tf.zeros([lags, 1]), name="w")
    b = tf.Variable(tf.zeros([1]), name="b")
    return w, b


# %%
def fit_fold(x, y, params, epochs=30, lr=0.05):
    w, b = params

    def forward(inputs):
        return tf.matmul(inputs, w) + b

    @tf.function
    def train(inputs, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(forward(inputs) - targets))
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(lr * dw)
        b.assign_sub(lr * db)
        return loss

    for _ in range(epochs):
        loss = train(x, y)
    return float(loss)


def evaluate(values, params, horizon):
    w, b = params
    window = list(values[-LAGS:])
    out = []
    for _ in range(horizon):
        nxt = float((np.array(window[-LAGS:], "float32") @ w.numpy() + b.numpy())[0])
        window.append(nxt)
        out.append(nxt)
    return np.array(out)


# %%
params = linear_model()
x_all, y_all = windows(series)
errors = []
for origin in range(200, 360, 8):
    x = tf.constant(x_all[origin - 200:origin - LAGS])
    y = tf.constant(y_all[origin - 200:origin - LAGS])
    fit_fold(x, y, params)
    guess = evaluate(series[:origin], params, horizon=6)
    errors.append(np.mean(np.abs(guess - series[origin:origin + 6])))

# %%
print("folds", len(errors), "MAE %.4f" % np.mean(errors))
