package dev.fairlead.adapter.node.kernel;

import dev.fairlead.adapter.node.kernel.MountPlaces.Holder;
import dev.fairlead.domain.failure.Failure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A kernel call that runs or waits to run; its fields are guarded by the lock of {@link KernelCallGate}. */
final class KernelCall {
    private enum Kind {
        USUAL("change"),
        /** Takes long by right, so one that is left behind does not hang. */
        LASTING("lasting"),
        /** Changes nothing and keeps nobody from changing something. */
        QUESTION("question");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private final String what;
    private final List<String> paths;
    private final Kind kind;
    private final long began = System.nanoTime();
    private final Optional<String> server;
    private final Optional<String> target;
    private boolean abandoned;
    private @Nullable Condition turn;
    private @Nullable Holder place;

    private KernelCall(String what, List<Path> paths, Kind kind, Optional<String> server, Optional<String> target) {
        this.what = what;
        this.paths = paths.stream().map(Path::toString).toList();
        this.kind = kind;
        this.server = server;
        this.target = target;
    }

    static KernelCall of(String what, List<Path> paths, Optional<String> target) {
        return new KernelCall(what, paths, Kind.USUAL, Optional.empty(), target);
    }

    static KernelCall lasting(String what, List<Path> paths, Optional<String> server) {
        return new KernelCall(what, paths, Kind.LASTING, server, Optional.empty());
    }

    static KernelCall question(String what, Path path) {
        return new KernelCall(what, List.of(path), Kind.QUESTION, Optional.empty(), Optional.empty());
    }

    boolean isLasting() {
        return kind == Kind.LASTING;
    }

    boolean isQuestion() {
        return kind == Kind.QUESTION;
    }

    /** Returns whether both are of one kind. */
    boolean isLike(KernelCall other) {
        return kind == other.kind;
    }

    String kindInWords() {
        return kind.word;
    }

    /** Returns the words for all kinds. */
    static List<String> kinds() {
        return Arrays.stream(Kind.values()).map(it -> it.word).toList();
    }

    String what() {
        return what;
    }

    long began() {
        return began;
    }

    /** Returns the server that the caller names; empty if it names none. */
    Optional<String> server() {
        return server;
    }

    /** Returns the target or subsystem that the caller names; empty if it names none. */
    Optional<String> target() {
        return target;
    }

    boolean touches(Path path) {
        return paths.contains(path.toString());
    }

    /** Notes that nobody waits for it any more. */
    void abandon() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** Returns what it is part of, which is found once. */
    Holder place(Supplier<Holder> finding) {
        if (place == null) {
            place = finding.get();
        }
        return place;
    }

    /** Notes what it is part of now; what was found earlier stays if that cannot be told. */
    void foundIn(Holder holder) {
        if (place == null || holder.isKnown()) {
            place = holder;
        }
    }

    void signalledBy(Condition condition) {
        turn = condition;
    }

    /** Returns what is told while the call goes on. */
    Failure pending() {
        return new Failure.OperationPending(subject(), what, Duration.ofNanos(System.nanoTime() - began), "");
    }

    String subject() {
        return paths.getFirst();
    }

    boolean overlaps(KernelCall other) {
        boolean alike = kind == Kind.QUESTION ? what.equals(other.what) : other.kind != Kind.QUESTION;
        return alike && paths.stream().anyMatch(other.paths::contains);
    }

    void signal() {
        if (turn != null) {
            turn.signal();
        }
    }
}
