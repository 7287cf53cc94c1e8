package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.adapter.zfs.cli.Preface;
import dev.fairlead.adapter.zfs.fake.ShellScript.Then;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The shell of a storage host in memory: runs the steps of a script up to the first that fails. */
final class FakeShell {
    private static final String NOISE = "sudo: unable to resolve host nas: Name or service not known";

    private final FakeZfs zfs;
    private final FakeShares shares;
    private final List<List<String>> history = new ArrayList<>();
    private final Map<String, String> refusals = new HashMap<>();
    private final List<Orphan> orphans = new ArrayList<>();
    private Runnable duringCopies = () -> {};
    private Runnable beforeSteps = () -> {};
    private boolean cut;
    private int roundTrips;

    FakeShell(FakeZfs zfs, FakeShares shares) {
        this.zfs = zfs;
        this.shares = shares;
    }

    /** A copy whose session has ended, and what its script does when it is done. */
    private record Orphan(FakeCopies.Copy copy, List<ShellScript.Line> rest) {}

    List<List<String>> history() {
        return List.copyOf(history);
    }

    int roundTrips() {
        return roundTrips;
    }

    void refuse(String subcommand, String words) {
        refusals.put(subcommand, words);
    }

    void duringCopies(Runnable action) {
        duringCopies = action;
    }

    void beforeSteps(Runnable action) {
        beforeSteps = action;
    }

    void cutNextCopy() {
        cut = true;
    }

    void endCopies(boolean whole) {
        List<Orphan> all = List.copyOf(orphans);
        orphans.clear();
        for (Orphan orphan : all) {
            if (whole) {
                zfs.copies().end(orphan.copy());
                run(orphan.rest(), 0);
            } else {
                zfs.copies().fail(orphan.copy());
            }
        }
    }

    Ended run(List<String> argv) {
        roundTrips++;
        if (!argv.subList(0, 2).equals(List.of("/bin/sh", "-c"))) {
            throw new AssertionError("not a script: " + argv);
        }
        return run(ShellScript.lines(argv.get(2)), 0);
    }

    /** What somebody else does once a script has looked at what its steps rely on. */
    private void begin() {
        Runnable action = beforeSteps;
        beforeSteps = () -> {};
        action.run();
    }

    private Ended run(List<ShellScript.Line> lines, int from) {
        var last = new ShellScript.Line(List.of(), new Then.Close(false), 0);
        for (ShellScript.Line line : lines) {
            last = line.then() instanceof Then.Close ? line : last;
        }
        Ended ended = runSteps(lines, from);
        if (last.then() instanceof Then.Close(boolean always)
                && !last.argv().isEmpty()
                && (always || ended.exitCode() >= 64)) {
            return Ended.with(
                    ended.exitCode(), ended.output(), ended.errors() + Preface.CLOSING + "\n" + printed(last.argv()));
        }
        return ended;
    }

    private Ended runSteps(List<ShellScript.Line> lines, int from) {
        var output = new StringBuilder();
        var told = new StringBuilder();
        String remembered = "";
        for (int i = from; i < lines.size(); i++) {
            ShellScript.Line line = lines.get(i);
            String value = remembered;
            List<String> words = line.argv().stream()
                    .map(word -> word.equals("$v") ? value : word)
                    .toList();
            if (!line.isPreface()) {
                begin();
                history.add(words);
            }
            try {
                refuse(words);
                switch (line.then()) {
                    case Then.Print _ when words.contains("|") -> copy(words, lines.subList(i + 1, lines.size()));
                    case Then.Print _ -> output.append(said(words));
                    case Then.Tell _ -> told.append(printed(words));
                    case Then.Close _ -> {}
                    case Then.Remember _ -> remembered = said(words).stripTrailing();
                    case Then.Unless(List<String> command) -> {
                        if (said(words).isEmpty()) {
                            history.add(command);
                            said(command);
                        }
                    }
                    case Then.Look(String target) -> removed(words, target);
                    case Then.Expect(List<String> texts, String complaint) -> {
                        String said = said(words).stripTrailing();
                        require(texts.contains(said), complaint.isEmpty() ? NOISE : complaint + said);
                    }
                    case Then.Digest(String filter, String expected) ->
                        require(filtered(filter, said(words).stripTrailing() + "\n")
                                .equals(expected));
                    case Then.Lack(String text, Optional<String> target) ->
                        require((target.isPresent() && !zfs.names().contains(target.get()))
                                || said(words).lines().noneMatch(text.lines().toList()::contains));
                    case Then.Row(String target, String property) ->
                        output.append(String.join(
                                        "\t",
                                        target,
                                        property,
                                        shares.canBeAsked() ? shares.grep(words) + "\thost" : "-\t-")
                                .concat("\n"));
                    case Then.NoneBut(String only) -> {
                        String found = shares.canBeAsked() ? shares.grep(words) : "";
                        if (!found.isEmpty() && !found.equals(only)) {
                            throw new FakeDatasets.Refused(found);
                        }
                    }
                    case Then.RemoveWhere(String only, List<String> removal) -> {
                        if (shares.canBeAsked() && shares.grep(words).equals(only)) {
                            history.add(removal);
                            shares.net(removal);
                        }
                    }
                }
                shares.after(words);
            } catch (FakeDatasets.Refused e) {
                if (line.then() instanceof Then.Print(List<List<String>> undo)) {
                    undo.forEach(each -> zfs.run(new ArrayDeque<>(each)));
                }
                if (line.then() instanceof Then.Tell) {
                    continue;
                }
                return Ended.with(line.exitCode(), output.append(e.output()).toString(), told + e.getMessage() + "\n");
            }
        }
        return Ended.with(0, output.toString(), told.toString());
    }

    /** What a command that may fail has printed. */
    private String printed(List<String> words) {
        try {
            return said(words);
        } catch (FakeDatasets.Refused e) {
            return e.output();
        }
    }

    private void copy(List<String> words, List<ShellScript.Line> rest) {
        FakeCopies.Copy copy = zfs.copies().begin(words);
        if (cut) {
            cut = false;
            orphans.add(new Orphan(copy, rest));
            throw new StorageException(
                    new Failure.OutcomeUnknown("pool", "zfs send", "the session ended before it did"));
        }
        duringCopies.run();
        zfs.copies().end(copy);
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
        return zfs.run(new ArrayDeque<>(words));
    }

    /** What a real shell makes of a text. */
    private static String filtered(String filter, String text) {
        try {
            Process process = new ProcessBuilder("/bin/sh", "-c", filter).start();
            try (var to = process.getOutputStream()) {
                to.write(text.getBytes(StandardCharsets.UTF_8));
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void require(boolean met) {
        require(met, NOISE);
    }

    private static void require(boolean met, String complaint) {
        if (!met) {
            throw new FakeDatasets.Refused(complaint);
        }
    }

    private void refuse(List<String> words) {
        String refusal = words.size() < 2 ? "" : refusals.getOrDefault(words.get(1), "");
        if (!refusal.isEmpty()) {
            throw new FakeDatasets.Refused(refusal);
        }
    }
}
