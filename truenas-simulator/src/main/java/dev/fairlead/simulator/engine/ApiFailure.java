package dev.fairlead.simulator.engine;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.error.Violation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says what a method answers when it fails. */
public final class ApiFailure extends RuntimeException {
    /** The class of a failure, which decides its code and status. */
    public enum Kind {
        /** Several attributes are refused. */
        VALIDATIONS,
        /** One attribute is refused, raised alone. */
        VALIDATION,
        /** A row is absent. */
        ABSENT,
        /** A query with "get" found nothing. */
        MATCHLESS,
        /** Answers the method itself failed. */
        CALL,
        /** Answers the method raised what nobody adapts. */
        UNEXPECTED,
        /** The job of the method was aborted. */
        ABORTED,
        /** Nobody is logged in. */
        ANONYMOUS,
        /** The caller lacks a role. */
        FORBIDDEN,
        /** There is no such method. */
        METHODLESS
    }

    private final Kind kind;
    private final transient List<Violation> violations;
    private final int number;
    private final transient JsonElement extra;

    private ApiFailure(Kind kind, List<Violation> violations, int number, String text, JsonElement extra) {
        super(text);
        this.kind = kind;
        this.violations = violations;
        this.number = number;
        this.extra = extra;
    }

    /** Makes the failure of a method, with its number. */
    public static ApiFailure call(int number, String text) {
        return new ApiFailure(Kind.CALL, List.of(), number, text, JsonNull.INSTANCE);
    }

    /** Makes the failure that nobody adapts, whose reason is its bare text. */
    public static ApiFailure unexpected(String text) {
        return new ApiFailure(Kind.UNEXPECTED, List.of(), ErrorNumber.EINVAL, text, JsonNull.INSTANCE);
    }

    /** Makes the failure of a method without a number of its own. */
    public static ApiFailure call(String text) {
        return call(ErrorNumber.EFAULT, text);
    }

    /** Makes the refusal of attributes. */
    public static ApiFailure invalid(List<Violation> violations) {
        return new ApiFailure(Kind.VALIDATIONS, violations, ErrorNumber.EINVAL, "", JsonNull.INSTANCE);
    }

    /** Makes the refusal of one attribute among those that a method collects. */
    public static ApiFailure invalid(String attribute, String text) {
        return invalid(List.of(Violation.of(attribute, text)));
    }

    /** Makes the refusal that is raised alone. */
    public static ApiFailure single(String attribute, String text, int number) {
        return new ApiFailure(
                Kind.VALIDATION,
                List.of(new Violation(Optional.of(attribute), text, number)),
                number,
                "",
                JsonNull.INSTANCE);
    }

    /** Makes the answer for a row that is absent. */
    public static ApiFailure absent(String text) {
        return new ApiFailure(
                Kind.ABSENT,
                List.of(new Violation(Optional.empty(), text, ErrorNumber.ENOENT)),
                ErrorNumber.ENOENT,
                "",
                JsonNull.INSTANCE);
    }

    /** Makes the answer of a query with "get" that found nothing. */
    public static ApiFailure matchless() {
        return new ApiFailure(Kind.MATCHLESS, List.of(), ErrorNumber.EINVAL, "MatchNotFound()", JsonNull.INSTANCE);
    }

    /** Makes the end of a job that was aborted. */
    static ApiFailure aborted() {
        return new ApiFailure(Kind.ABORTED, List.of(), ErrorNumber.ECANCELED, "Job aborted", JsonNull.INSTANCE);
    }

    /** Makes the answer to a call before the login. */
    public static ApiFailure anonymous() {
        return new ApiFailure(
                Kind.ANONYMOUS, List.of(), ErrorNumber.ENOTAUTHENTICATED, "Not authenticated", JsonNull.INSTANCE);
    }

    /** Makes the answer to a call without its role. */
    public static ApiFailure forbidden() {
        return new ApiFailure(Kind.FORBIDDEN, List.of(), ErrorNumber.EACCES, "Not authorized", JsonNull.INSTANCE);
    }

    /** Makes the answer for a method that is not there. */
    public static ApiFailure methodless() {
        return new ApiFailure(
                Kind.METHODLESS, List.of(), ErrorNumber.ENOMETHOD, "Method does not exist", JsonNull.INSTANCE);
    }

    /** Returns its class. */
    public Kind kind() {
        return kind;
    }

    /** Returns the refused attributes. */
    public List<Violation> violations() {
        return violations;
    }

    /** Returns its error number. */
    public int number() {
        return number;
    }

    /** Returns what was attached to it. */
    public JsonElement extra() {
        return extra;
    }

    /** Returns its text without the number in brackets. */
    public String text() {
        return violations.isEmpty()
                ? String.valueOf(getMessage())
                : violations.stream().map(Violation::line).collect(Collectors.joining("\n"));
    }

    /** Renders the reason as the vendor does. */
    public String reason() {
        return switch (kind) {
            case VALIDATIONS -> violations.stream().map(v -> v.line() + "\n").collect(Collectors.joining());
            case VALIDATION, ABSENT -> violations.getFirst().line();
            case MATCHLESS, UNEXPECTED -> text();
            default -> "[" + ErrorNumber.name(number) + "] " + text();
        };
    }
}
