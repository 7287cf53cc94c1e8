package dev.fairlead.lab.abuse;

import java.util.concurrent.TimeUnit;

/** Kills the driver with SIGKILL at random moments, and starts it again each time. */
final class Kills implements Torment {
    @Override
    public void run(Scene scene) throws Exception {
        long end = System.nanoTime() + scene.time().toNanos();
        while (System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(1000 + scene.random().nextInt(4000));
            scene.installation().killAndStart();
        }
    }
}
