package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.adapter.zfs.host.Mountpoints;
import dev.fairlead.adapter.zfs.host.SeenParents;
import dev.fairlead.adapter.zfs.host.ShareTurns;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsPrograms;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A storage host with a pool in memory: takes a script apart as a shell does, and counts what comes. */
public final class FakePool implements CommandRunner {
    private final FakeZfs zfs = new FakeZfs();
    private final FakeShares shares = new FakeShares(zfs);
    private final FakeShell shell = new FakeShell(zfs, shares);
    private int drop = Integer.MAX_VALUE;
    private Runnable beforeSending = () -> {};

    public FakePool(String... datasets) {
        for (String name : datasets) {
            zfs.put(name, "filesystem", Map.of());
        }
    }

    /** The way to it, as a connection of these settings has it. */
    public ZfsConnection connection(ZfsSettings settings) {
        return connection(settings, new DatasetLayout(settings.parent(), settings.detachedParent()));
    }

    /** The same with a layout that has more parents than the settings. */
    public ZfsConnection connection(ZfsSettings settings, DatasetLayout layout) {
        return connection(settings, layout, Optional.empty());
    }

    /** The same where each parent has to have this mark. */
    public ZfsConnection connection(ZfsSettings settings, DatasetLayout layout, Optional<String> mark) {
        var scope = new ConnectionScope(new ConnectionName("tank"), "zfs-generic-nfs", Optional.empty(), "test");
        var programs = new ZfsPrograms(List.of("zfs"), Elevation.NONE);
        return new ZfsConnection(
                scope,
                new ZfsHost(this, programs.commands(), scope, SeenParents.of(layout, mark)),
                settings,
                programs,
                layout,
                new Mountpoints(),
                new ShareTurns(),
                () -> {});
    }

    /** What the host shares; not while commands run. */
    public FakeShares shares() {
        return shares;
    }

    public synchronized List<List<String>> history() {
        return shell.history();
    }

    public synchronized int roundTrips() {
        return shell.roundTrips();
    }

    public synchronized Set<String> names() {
        return zfs.names();
    }

    public synchronized Map<String, String> files(String dataset) {
        return zfs.files(dataset);
    }

    public synchronized Map<String, String> own(String name) {
        return zfs.own(name);
    }

    /** When something was born, which is its guid too. */
    public synchronized long born(String name) {
        return Long.parseLong(zfs.value(name, "guid")[0]);
    }

    public synchronized void put(String name, String type, Map<String, String> own) {
        zfs.put(name, type, own);
    }

    /** Runs one command, as somebody else would. */
    public synchronized void play(List<String> argv) {
        if (argv.contains("|")) {
            zfs.copies().end(zfs.copies().begin(argv));
        } else {
            zfs.run(new ArrayDeque<>(argv));
        }
        shares.after(argv);
    }

    /** Begins one that copies, and leaves it at that. */
    public synchronized void begin(List<String> argv) {
        zfs.copies().begin(argv);
    }

    /** From now on a property has this value for whoever asks, whatever was set. */
    public synchronized void lie(String property, String value) {
        zfs.lie(property, value);
    }

    /** From now on a dataset cannot be destroyed, since a program uses it. */
    public synchronized void busy(String name) {
        zfs.busy(name);
    }

    /** The next attempts to destroy a dataset, so many, fail, since a program still uses it. */
    public synchronized void busy(String name, int attempts) {
        zfs.busy(name, attempts);
    }

    /** From now on a filesystem is not mounted. */
    public synchronized void unmount(String name) {
        zfs.unmount(name);
    }

    /** From now on a filesystem, and what is below it, is mounted there. */
    public synchronized void mount(String name, String path) {
        zfs.mount(name, path);
    }

    /** Makes it a pool that was never upgraded to have zstd. */
    public synchronized void withoutZstd() {
        zfs.withoutZstd();
    }

    /** Everything that there is, without times. */
    public synchronized String dump() {
        return toString();
    }

    /** Takes all pools away with all that they hold, as {@code zpool export} does, until they are imported. */
    public synchronized void export() {
        zfs.export();
    }

    public synchronized void importAgain() {
        zfs.importAgain();
    }

    /** Takes a dataset away, as somebody else would. */
    public synchronized void remove(String name) {
        zfs.remove(name);
        shares.after(List.of("zfs", "destroy", name));
    }

    /** From now on the session drops when so many bytes of a stream have passed; once. */
    public synchronized void dropAfter(int bytes) {
        drop = bytes;
    }

    /** From now on commands of this subcommand are refused with these words; none is for those that are to work. */
    public synchronized void refuse(String subcommand, String words) {
        shell.refuse(subcommand, words);
    }

    /** From now on this property cannot be set; none is for one that can. */
    public synchronized void refuseProperty(String key, String words) {
        zfs.refuseProperty(key, words);
    }

    /** Is run in the middle of each {@code zfs send | zfs receive}, by the one that has asked for that. */
    public synchronized void duringCopies(Runnable action) {
        shell.duringCopies(action);
    }

    /** Is run once, after the next script has looked at its parents and before its first step. */
    public synchronized void beforeSteps(Runnable action) {
        shell.beforeSteps(action);
    }

    /** What somebody else does once so many steps have been run. */
    public void afterSteps(int steps, Runnable action) {
        beforeSteps(steps == 0 ? action : () -> afterSteps(steps - 1, action));
    }

    /** The session of the next {@code zfs send | zfs receive} ends in its middle; the script goes on without it. */
    public synchronized void cutNextCopy() {
        shell.cutNextCopy();
    }

    /**
     * Ends the copies that were cut, and their scripts.
     *
     * @param whole whether all of the stream has come
     */
    public synchronized void endCopies(boolean whole) {
        shell.endCopies(whole);
    }

    /** Is run before a stream is written, without any lock. */
    public synchronized void beforeSending(Runnable action) {
        beforeSending = action;
    }

    @Override
    public Ended run(Command command, Work work) {
        List<Ended> answer = new ArrayList<>();
        work.effect(
                command.effect(),
                () -> answer.add(
                        switch (command) {
                            case Command it
                            when it.output() instanceof Command.Output.Bytes(OutputStream to) -> sent(it, to);
                            case Command it
                            when it.input() instanceof Command.Input.Bytes(InputStream from) -> received(it, from);
                            default -> shell(command.argv());
                        }));
        return answer.isEmpty() ? Ended.with(0, "", "") : answer.getFirst(); // one that lies has done nothing
    }

    private Ended sent(Command command, OutputStream to) {
        beforeSending().run();
        Ended ended = shell(command.argv());
        byte[] stream = ended.output().getBytes(StandardCharsets.UTF_8);
        int most = passing();
        try {
            to.write(stream, 0, Math.min(most, stream.length));
        } catch (IOException e) {
            throw unseen(command, e);
        }
        if (most < stream.length) {
            throw unseen(command, new IOException("the session ended before it did"));
        }
        return new Ended(ended.exitCode(), Optional.empty(), "", ended.errors());
    }

    private Ended received(Command command, InputStream from) {
        int most = passing();
        byte[] stream;
        try {
            stream = from.readNBytes(most);
        } catch (IOException e) {
            throw unseen(command, e);
        }
        Ended ended;
        synchronized (this) {
            zfs.reads(new String(stream, StandardCharsets.UTF_8));
            ended = shell(command.argv());
        }
        if (stream.length == most) {
            throw unseen(command, new IOException("the session ended before it did"));
        }
        return ended;
    }

    private synchronized Runnable beforeSending() {
        return beforeSending;
    }

    private synchronized int passing() {
        int most = drop;
        drop = Integer.MAX_VALUE;
        return most;
    }

    private static StorageException unseen(Command command, IOException why) {
        return new StorageException(
                new Failure.OutcomeUnknown("pool", command.effect().kind(), String.valueOf(why.getMessage())), why);
    }

    private synchronized Ended shell(List<String> argv) {
        return shell.run(argv);
    }

    @Override
    public void close() {}

    /** All of it that matters, but for times. */
    @Override
    public synchronized String toString() {
        return zfs + "\n" + shares;
    }
}
