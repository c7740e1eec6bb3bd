from config import cfg
from losses import smoothing


def finish_epoch(epoch, loss, confidence):
    print("epoch %d loss %.3f target confidence %.3f" % (epoch, loss, confidence))
    smoothing.assign(smoothing * cfg.smoothing_decay)
