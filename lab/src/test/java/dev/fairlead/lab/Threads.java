package dev.fairlead.lab;

import java.util.List;

/** Waits for threads that were told to end. */
final class Threads {
    private Threads() {}

    static void join(List<Thread> threads) {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
