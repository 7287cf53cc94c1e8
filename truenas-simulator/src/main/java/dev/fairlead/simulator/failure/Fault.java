package dev.fairlead.simulator.failure;

import java.time.Duration;

/**
 * Something that goes wrong at a call.
 *
 * @param method the method's name, "*" for any, "connect" for the opening of a socket; a star at its end stands for any
 *     rest
 * @param nth the first call, counted from when it was armed, that it strikes; from 1
 * @param times how many calls it strikes from then on
 * @param having a text that the call's arguments as JSON contain; empty for any
 */
public record Fault(String method, int nth, int times, String having, Injury injury) {
    /** Makes a fault of the next call of a method. */
    public static Fault at(String method, Injury injury) {
        return new Fault(method, 1, 1, "", injury);
    }

    /** Strikes from the nth call on. */
    public Fault nth(int first) {
        return new Fault(method, first, times, having, injury);
    }

    /** Strikes several calls. */
    public Fault times(int many) {
        return new Fault(method, nth, many, having, injury);
    }

    /** Strikes every call. */
    public Fault always() {
        return times(Integer.MAX_VALUE);
    }

    /** Strikes only calls whose arguments contain a text. */
    public Fault having(String text) {
        return new Fault(method, nth, times, text, injury);
    }

    /** Says what goes wrong. */
    public sealed interface Injury {}

    /** The connection is cut and nothing happens. */
    public record CutBefore() implements Injury {}

    /** The call takes effect and the connection is cut instead of an answer. */
    public record CutAfter() implements Injury {}

    /**
     * The connection is cut, and the call is stopped after so many of its steps: what they have done stays. Up to
     * 25.10, and if the call has no more steps, it has come to its end by then.
     */
    public record Stopped(int steps) implements Injury {}

    /**
     * The call writes its rows, and the service does not load them: its reload fails, as the answer says, or the
     * connection is cut before.
     */
    public record Unloaded(boolean cut) implements Injury {}

    /** The connection is cut, and the call takes effect later; on 26, which ends calls with their connection, never. */
    public record Late(Duration after) implements Injury {}

    /** The call takes effect and is answered late. */
    public record Slow(Duration by) implements Injury {}

    /**
     * The call waits before its effect. Whose caller has gone meanwhile has none on 26, which cancels it, and has it
     * before.
     */
    public record Hesitant(Duration by) implements Injury {}

    /** The call is answered with this JSON and does nothing, such as the redirection of a login by a standby. */
    public record Result(String json) implements Injury {}

    /** The call takes effect and is never answered; the connection stays. */
    public record Silent() implements Injury {}

    /** The caller gets a page instead of an answer; a socket is closed with 1011 in its stead. */
    public record Page(int status, boolean effect) implements Injury {}

    /** The call is refused with an error of its own, after its effect or without it. */
    public record Refusal(int number, String text, boolean effect) implements Injury {
        /** Makes a refusal of a call that does nothing. */
        public Refusal(int number, String text) {
            this(number, text, false);
        }
    }

    /** The call is refused for an attribute. */
    public record Invalid(String attribute, String text, int number) implements Injury {}

    /**
     * The caller gets a status and a body by REST, as they stand here; where it is sent, if the status sends elsewhere.
     */
    public record Answer(int status, String body) implements Injury {}

    /** The call is answered true and does nothing. */
    public record Lie() implements Injury {}

    /** The job of the call fails after its effect or without it. */
    public record JobFails(String text, boolean effect) implements Injury {}

    /** The job of the call is aborted, as by an administrator, after its effect or without it. */
    public record JobAborts(boolean effect) implements Injury {}

    /** Keeps the job of the call in the state RUNNING for ever. */
    public record JobHangs() implements Injury {}

    /** Rows that the call answers come in another order each time. */
    public record Shuffled() implements Injury {}

    /** Rows that the call answers have attributes that nobody knows, and null instead of a comment. */
    public record Strange() implements Injury {}

    /** The socket is closed with a code after the effect or without it. */
    public record Close(int code, String reason, boolean effect) implements Injury {}

    /** Events are lost; armed with the name "event". */
    public record Lost() implements Injury {}
}
