package dev.fairlead.http;

/** Tells what an answer means, and a server's own from those of what stands before it. */
@FunctionalInterface
public interface AnswerReader<A> {
    Verdict<A> read(HttpAnswer answer);
}
