package dev.fairlead.demo;

import java.io.IOException;

/** Controls a driver that serves at the stage's socket. */
interface DemoDriver extends AutoCloseable {
    /** Returns whether it still runs. */
    boolean alive();

    /** Returns what it is, in words. */
    String describe();

    /** Answers a GET at its port for health and metrics. */
    String get(String path) throws IOException;

    /** Ends it as an operator does, and answers how it ended: an exit code. */
    int stop() throws IOException, InterruptedException;

    /** Ends it in any case; safe to call after {@link #stop}. */
    @Override
    void close();
}
