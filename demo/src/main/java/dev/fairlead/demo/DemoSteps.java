package dev.fairlead.demo;

import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Runs the steps one after the other, measures their time, and tells their outcome. */
final class DemoSteps {
    private final Narrator narrator;
    private final LongSupplier nanos;
    private String current = "begin";

    /** @param nanos a clock that only goes forward */
    DemoSteps(Narrator narrator, LongSupplier nanos) {
        this.narrator = narrator;
        this.nanos = nanos;
    }

    /** Holds the outcome of a step: a result for later steps, and what is told. */
    record Done<T>(T result, String text, Map<String, String> facts) {}

    @FunctionalInterface
    interface Step<T> {
        Done<T> run() throws Exception;
    }

    static <T> Done<T> done(T result, String text, Map<String, String> facts) {
        return new Done<>(result, text, facts);
    }

    <T> T run(String name, Step<T> step) throws Exception {
        current = name;
        long began = nanos.getAsLong();
        Done<T> done = step.run();
        narrator.did(name, done.text(), done.facts(), Duration.ofNanos(nanos.getAsLong() - began));
        return done.result();
    }

    void leaveOut(String name, String why) {
        narrator.leftOut(name, why);
    }

    /** Returns the step that runs, or ran last. */
    String current() {
        return current;
    }

    /** Checks the condition again and again until it holds; throws if it does not in time. */
    void await(Duration patience, BooleanSupplier condition) throws InterruptedException {
        long end = nanos.getAsLong() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (nanos.getAsLong() > end) {
                throw new IllegalStateException("not so after " + patience.toSeconds() + " s");
            }
            Thread.sleep(20);
        }
    }
}
