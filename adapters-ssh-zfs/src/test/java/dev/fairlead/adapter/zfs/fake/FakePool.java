package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.fake.ShellScript.Then;
import dev.fairlead.adapter.zfs.host.Births;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsPrograms;
import dev.fairlead.adapter.zfs.host.ZfsSettings;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A storage host with a pool in memory: takes a script apart as a shell does, and counts what comes. */
public final class FakePool implements CommandRunner {
    private final FakeZfs zfs = new FakeZfs();
    private final List<List<String>> history = new ArrayList<>();
    private int roundTrips;

    public FakePool(String... datasets) {
        for (String name : datasets) {
            zfs.put(name, "filesystem", Map.of());
        }
    }

    /** The way to it, as a connection of these settings has it. */
    public ZfsConnection connection(ZfsSettings settings) {
        return connection(settings, new Layout(settings.parent(), settings.detachedParent()));
    }

    /** The same with a layout that has more parents than the settings. */
    public ZfsConnection connection(ZfsSettings settings, Layout layout) {
        var scope = new ConnectionScope(new ConnectionName("tank"), "zfs-generic-nfs", Optional.empty(), "test");
        var programs = new ZfsPrograms(List.of("zfs"), Elevation.NONE, Elevation.NONE);
        return new ZfsConnection(
                scope,
                new ZfsHost(this, programs.commands(), scope.name()),
                settings,
                programs,
                layout,
                new Births(),
                () -> {});
    }

    public synchronized List<List<String>> history() {
        return List.copyOf(history);
    }

    public synchronized int roundTrips() {
        return roundTrips;
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

    public synchronized void put(String name, String type, Map<String, String> own) {
        zfs.put(name, type, own);
    }

    /** Runs one command, as somebody else would. */
    public synchronized void play(List<String> argv) {
        zfs.run(new ArrayDeque<>(argv));
    }

    /** From now on a property has this value for whoever asks, whatever was set. */
    public synchronized void lie(String property, String value) {
        zfs.lie(property, value);
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
        return zfs.toString();
    }

    /** Takes a dataset away, as somebody else would. */
    public synchronized void remove(String name) {
        zfs.remove(name);
    }

    @Override
    public Ended run(Command command, Work work) {
        List<Ended> answer = new ArrayList<>();
        work.effect(command.effect(), () -> answer.add(shell(command.argv())));
        return answer.isEmpty() ? Ended.with(0, "", "") : answer.getFirst(); // one that lies has done nothing
    }

    private void removed(List<String> removal, String target) {
        String said = "";
        try {
            zfs.run(new ArrayDeque<>(removal));
        } catch (FakeDatasets.Refused e) {
            said = String.valueOf(e.getMessage());
        }
        if (zfs.names().contains(target)) {
            throw new FakeDatasets.Refused(said);
        }
    }

    private String said(List<String> words) {
        return words.contains("|") ? zfs.piped(words) : zfs.run(new ArrayDeque<>(words));
    }

    private static void require(boolean met) {
        if (!met) {
            throw new FakeDatasets.Refused("");
        }
    }

    private synchronized Ended shell(List<String> argv) {
        roundTrips++;
        if (!argv.subList(0, 2).equals(List.of("/bin/sh", "-c"))) {
            throw new AssertionError("not a script: " + argv);
        }
        var output = new StringBuilder();
        String remembered = "";
        for (ShellScript.Line line : ShellScript.lines(argv.get(2))) {
            String value = remembered;
            List<String> words = line.argv().stream()
                    .map(word -> word.equals("$v") ? value : word)
                    .toList();
            history.add(words);
            try {
                switch (line.then()) {
                    case Then.Print _ -> output.append(said(words));
                    case Then.Remember _ -> remembered = said(words).stripTrailing();
                    case Then.Look(String target) -> removed(words, target);
                    case Then.Expect(List<String> texts) ->
                        require(texts.contains(said(words).stripTrailing()));
                    case Then.Lack(String text, Optional<String> target) ->
                        require((target.isPresent() && !zfs.names().contains(target.get()))
                                || said(words).lines().noneMatch(text.lines().toList()::contains));
                }
            } catch (FakeDatasets.Refused e) {
                if (line.then() instanceof Then.Print(List<List<String>> undo)) {
                    undo.forEach(each -> zfs.run(new ArrayDeque<>(each)));
                }
                return Ended.with(line.exitCode(), output.append(e.output()).toString(), e.getMessage() + "\n");
            }
        }
        return Ended.with(0, output.toString(), "");
    }

    @Override
    public void close() {}

    /** All of it that matters, but for times. */
    @Override
    public synchronized String toString() {
        return zfs.toString();
    }
}
