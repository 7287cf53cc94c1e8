package dev.fairlead.http;

/** Tells what an answer means, and whether it is the server's own or that of a proxy before it. */
@FunctionalInterface
public interface AnswerReader<A> {
    Verdict<A> read(HttpAnswer answer);
}
