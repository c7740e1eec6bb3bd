import tensorflow as tf

import settings


def soft_loss(teacher_logits, student_logits):
    t = settings.TEMPERATURE
    target = tf.nn.softmax(teacher_logits / t)
    return t * t * tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, student_logits / t))


def hard_loss(labels, logits):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


class Distiller:
    def __init__(self, teacher, student):
        self.teacher, self.student = teacher, student
        self.opt = tf.keras.optimizers.Adam(1e-2)
        self.opt.build(student.trainable_variables)

    @tf.function
    def step(self, x, y):
        guide = self.teacher(x, training=False)
        with tf.GradientTape() as tape:
            logits = self.student(x, training=True)
            soft = soft_loss(guide, logits)
            loss = settings.ALPHA * soft + (1 - settings.ALPHA) * hard_loss(y, logits)
        grads = tape.gradient(loss, self.student.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.student.trainable_variables))
        return loss, soft
