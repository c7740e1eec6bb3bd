"""The network in JAX, compiled, with `lax.scan`, for `benchmarks/handwriting.py`."""

import math
import os
import sys
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
import jax
import jax.numpy as jnp

COMPONENTS, MIXTURES, CHARACTERS, TEXT = 10, 20, 99, 30


def make_weights(hidden: int, feedback: bool) -> dict:
    keys = iter(jax.random.split(jax.random.key(0), 20))

    def matrix(rows: int, columns: int):
        return jax.random.normal(next(keys), (rows, columns)) / math.sqrt(rows)

    inputs = 3 + (CHARACTERS if feedback else 0)
    sizes = [inputs, 3 + CHARACTERS + hidden, 3 + CHARACTERS + hidden]
    return {
        "lstm": [(matrix(n, 4 * hidden), matrix(hidden, 4 * hidden), jnp.zeros(4 * hidden)) for n in sizes],
        "window": (matrix(hidden, 3 * COMPONENTS), jnp.repeat(jnp.array([-2.3, 0.0, -2.3]), COMPONENTS)),
        "outputs": matrix(3 * hidden, 1 + 6 * MIXTURES),
    }


def advance(gates, cell):
    first, forget, candidate, output = jnp.split(gates, 4, -1)  # [batch, hidden] each
    cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(first) * jnp.tanh(candidate)
    return jax.nn.sigmoid(output) * jnp.tanh(cell), cell


def lstm(weights, inputs):
    kernel, recurrent, bias = weights
    outside = inputs @ kernel + bias  # [time, batch, 4 hidden]

    def step(state, gates):
        hidden, cell = advance(gates + state[0] @ recurrent, state[1])
        return (hidden, cell), hidden

    zeros = jnp.zeros((inputs.shape[1], recurrent.shape[0]))
    return jax.lax.scan(step, (zeros, zeros), outside)[1]  # [time, batch, hidden]


def bells(raw, position, text):
    height, width, _ = jnp.split(jnp.exp(jnp.clip(raw, -12, 6)), 3, -1)
    distance = position[..., None] - jnp.arange(text.shape[1])  # [..., components, text]
    weight = (height[..., None] * jnp.exp(-width[..., None] * distance**2)).sum(-2)
    return jnp.einsum("...bu,buc->...bc", weight, text)


def read_in_loop(weights, points, text):
    kernel, recurrent, bias = weights["lstm"][0]
    window_kernel, window_bias = weights["window"]
    outside = points @ kernel[:3] + bias  # [time, batch, 4 hidden]

    def step(state, gates):
        hidden, cell, window, position = state
        hidden, cell = advance(gates + hidden @ recurrent + window @ kernel[3:], cell)
        raw = hidden @ window_kernel + window_bias
        position += jnp.exp(jnp.clip(raw[:, -COMPONENTS:], -12, 6))
        window = bells(raw, position, text)
        return (hidden, cell, window, position), (hidden, window)

    batch, zeros = points.shape[1], jnp.zeros((points.shape[1], recurrent.shape[0]))
    start = (zeros, zeros, jnp.zeros((batch, CHARACTERS)), jnp.zeros((batch, COMPONENTS)))
    return jax.lax.scan(step, start, outside)[1]


def parameters_of(weights, points, text, feedback):
    if feedback:
        hidden, window = read_in_loop(weights, points, text)
    else:
        hidden = lstm(weights["lstm"][0], points)  # [time, batch, hidden]
        raw = hidden @ weights["window"][0] + weights["window"][1]
        position = jnp.cumsum(jnp.exp(jnp.clip(raw[..., -COMPONENTS:], -12, 6)), 0)
        window = bells(raw, position, text)  # [time, batch, characters]
    hiddens = [hidden]
    for layer in weights["lstm"][1:]:
        hiddens.append(lstm(layer, jnp.concatenate([points, window, hiddens[-1]], -1)))
    return jnp.concatenate(hiddens, -1) @ weights["outputs"]  # [time, batch, outputs]


def loss_of(points, parameters):
    end, rest = parameters[..., 0], parameters[..., 1:]
    weight, x, y, wide, high, turn = jnp.split(rest, 6, -1)  # [time, batch, mixtures] each
    wide, high, rho = jnp.clip(wide, -6, 6), jnp.clip(high, -6, 6), 0.995 * jnp.tanh(turn)
    across = (points[..., :1] - x) * jnp.exp(-wide)
    down = (points[..., 1:2] - y) * jnp.exp(-high)
    left = 1 - rho**2
    square = (across**2 + down**2 - 2 * rho * across * down) / left
    normaliser = math.log(2 * math.pi) + wide + high + 0.5 * jnp.log(left)
    density = jax.nn.logsumexp(jax.nn.log_softmax(weight) - normaliser - 0.5 * square, -1)
    ends = jnp.logaddexp(0, end) - points[..., 2] * end
    return (ends - density).sum()


def processor_seconds(function, repeats: int) -> float:
    """The median over calls after a first one."""
    jax.block_until_ready(function())
    seconds = []
    for _ in range(repeats):
        begun = time.process_time()
        jax.block_until_ready(function())
        seconds.append(time.process_time() - begun)
    return sorted(seconds)[repeats // 2]


def main() -> None:
    hidden, steps, batch, repeats = map(int, sys.argv[1:5])
    points = jax.random.normal(jax.random.key(1), (steps + 1, batch, 3))
    points = points.at[..., 2].set(points[..., 2] > 1.3)
    text = jax.nn.one_hot(jax.random.randint(jax.random.key(2), (batch, TEXT), 0, CHARACTERS), CHARACTERS)
    matrix = jax.random.normal(jax.random.key(3), (1024, 1024))
    product = jax.jit(lambda a: a @ a)
    print("gemm", processor_seconds(lambda: product(matrix), repeats))
    for name in ("parallel", "graves"):
        weights = make_weights(hidden, name == "graves")

        @jax.jit
        def step(weights, points, text, feedback=name == "graves"):
            def loss(weights):
                return loss_of(points[1:], parameters_of(weights, points[:-1], text, feedback))

            return jax.value_and_grad(loss)(weights)

        run = processor_seconds(lambda step=step, weights=weights: step(weights, points, text), repeats)
        print(name, run)


if __name__ == "__main__":
    main()
