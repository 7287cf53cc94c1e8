package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.host.HostLock;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;

/** Interprets how a script ended. */
record ScriptEnds(ConnectionName connection, HostLock lock, Chap chap, Elevation asRoot) {
    private static final int NOT_OURS = 114;
    private static final int WOULD_LOSE = 115;
    private static final int NO_DEVICE = 116;
    private static final int NOT_SO = 117;
    private static final int NOT_TAKEN = 118;
    private static final int NOT_SHOWN = 119;
    private static final int NO_PROGRAM = 120;
    private static final int NO_SENSE = 121;
    private static final int RECORDED_ANEW = 122;
    private static final int NO_RECORD = 123;
    private static final int MOST_WORDS = 1500;

    /** @param lastLine the line that the script prints once everything was read back */
    void require(Ended ended, String lastLine, NativeId volume, String doing) {
        if (ended.succeeded() && ended.output().strip().endsWith(lastLine)) {
            return;
        }
        lock.requireTaken(ended, connection);
        throw new StorageException(failure(ended, volume, doing));
    }

    private Failure failure(Ended ended, NativeId volume, String doing) {
        String name = connection.value();
        String said = said(ended);
        return switch (ended.signal().isPresent() ? -1 : ended.exitCode()) {
            case NOT_OURS -> new Failure.NotOurs(volume.value(), said);
            case WOULD_LOSE ->
                new Failure.BackendUnavailable(
                        name,
                        doing + " would lose others from the saved configuration that are not running, " + said
                                + "; import their pool, see that their portals' addresses are there, and run"
                                + " 'targetcli restoreconfig clear_existing=true',"
                                + " or, if they are to stay away, 'targetcli saveconfig'");
            case NO_DEVICE, NOT_SHOWN -> new Failure.BackendUnavailable(name, doing + ": " + said);
            case NOT_SO -> new Failure.BackendUnavailable(name, doing + " does not read back, " + said);
            case NOT_TAKEN ->
                new Failure.BackendRejected(
                        name, doing + ": the kernel has not taken these attributes or credentials," + said);
            case NO_PROGRAM -> new Failure.BackendRejected(name, said);
            case RECORDED_ANEW ->
                new Failure.BackendUnavailable(
                        name,
                        doing + ": somebody else has changed meanwhile who is let in; nothing was done, and it is tried"
                                + " again");
            case NO_RECORD -> new Failure.BackendUnavailable(name, doing + ": who is let in is not known, " + said);
            case NO_SENSE ->
                new Failure.BackendRejected(
                        name,
                        doing + " could lose others from the saved configuration: " + said + " is not what targetcli"
                                + " saves; run 'targetcli saveconfig' once all is running that is to stay");
            case 0 ->
                new Failure.Unintelligible(name, doing + " ended well, and did not say that it had come to its end");
            default -> broken(ended, doing, said);
        };
    }

    private Failure broken(Ended ended, String doing, String said) {
        String name = connection.value();
        if (said.contains("Permission denied")) {
            return new Failure.BackendRejected(
                    name, doing + ": " + said + "; log in as root, or set iscsi.shareStrategyTargetCli.sudoEnabled");
        }
        return asRoot.refusal(ended)
                .<Failure>map(refusal -> new Failure.BackendRejected(name, chap.conceal(refusal)))
                .orElseGet(() -> new Failure.BackendUnavailable(name, doing + ": " + chap.conceal(ended.trouble())));
    }

    /**
     * Returns what the script wrote to its standard error, in one line and shortened; credentials, which it never
     * prints, are masked all the same.
     */
    private String said(Ended ended) {
        String words = chap.conceal(ended.errors()).strip().replaceAll("\\s+", " ");
        return words.length() > MOST_WORDS ? words.substring(0, MOST_WORDS) + "…" : words;
    }
}
