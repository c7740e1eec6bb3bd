import keras
import tensorflow as tf

from tied import config, data
from tied.model import BigramModel


def make_step(model, optimizer):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x)))
        variables = model.trainable_variables
        grads = [tf.convert_to_tensor(g) for g in tape.gradient(loss, variables)]
        optimizer.apply_gradients(zip(grads, variables))
        return loss
    return step


def main():
    args = config.get()
    model = BigramModel(data.SIZE, args.width, args.seed)
    step = make_step(model, keras.optimizers.Adam(args.lr))
    for epoch in range(args.epochs):
        for x, y in data.bigrams(args.batch, seed=args.seed):
            loss = step(x, y)
        probe = tf.random.stateless_normal([1, args.width], [1, 2])
        gap = model.head(probe) - model.head.bias - probe @ tf.transpose(model.embedding.table)
        print(f"epoch {epoch} loss {float(loss):.4f} tie gap {float(tf.reduce_max(tf.abs(gap))):.4f}")


if __name__ == "__main__":
    main()
