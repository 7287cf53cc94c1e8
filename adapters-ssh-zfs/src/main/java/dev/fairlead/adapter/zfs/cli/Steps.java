package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.application.port.out.host.PosixShell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs several commands on the storage host as one, which ends at the first that fails. The exit code tells which one
 * failed; its complaint is on the standard error, and the outputs of all follow each other.
 */
public final class Steps {
    /**
     * Stands for the output that {@link #remember} keeps, as a word of its own in a later step. No word that comes from
     * outside can be the same, since none may hold a NUL.
     */
    public static final String REMEMBERED = "\0remembered";

    private static final String LINUX = "[ -e /proc/version ]";

    /** The exit code of a script that ended before its first step because a check of its {@link Preface} failed. */
    static final int PREFACE_CODE = 63;

    static final int FIRST_CODE = 64;
    private static final int MOST = 60;

    private final List<Step> steps = new ArrayList<>();

    private boolean succeedWithoutIt;

    /** Names a part of the steps, so that whoever put them together can tell which part failed. */
    public interface Part {}

    /** The lines of one step, nearly always one, and the part that it is of. */
    private record Step(List<Line> lines, Optional<Part> part) {}

    /** Surrounds the {@code exit} that tells which step failed. */
    private record Line(String before, String after) {
        String exiting(int code) {
            return before + "exit " + code + after;
        }
    }

    /** Adds a command. */
    public Steps then(List<String> argv) {
        return add(line(argv));
    }

    /** Adds any number of commands as one step, which fails if one of them does. */
    public Steps thenAll(List<List<String>> commands) {
        return together(
                commands.stream().map(command -> new Steps().then(command)).toList());
    }

    /** Adds all the steps of another, with the parts that they are of. */
    public Steps and(Steps others) {
        others.steps.forEach(this::add);
        succeedWithoutIt |= others.succeedWithoutIt;
        return this;
    }

    /** Adds all the steps of another as a part. */
    public Steps and(Part part, Steps others) {
        others.steps.forEach(step -> add(new Step(step.lines(), Optional.of(part))));
        succeedWithoutIt |= others.succeedWithoutIt;
        return this;
    }

    /** Adds a command as a part. */
    public Steps then(Part part, List<String> argv) {
        return and(part, new Steps().then(argv));
    }

    /** Adds all the steps of others as one step, which fails if one of them does. */
    public Steps together(List<Steps> others) {
        succeedWithoutIt |= others.stream().anyMatch(each -> each.succeedWithoutIt);
        List<Line> all = others.stream()
                .flatMap(each -> each.steps.stream())
                .flatMap(step -> step.lines().stream())
                .toList();
        return all.isEmpty() ? this : add(new Step(all, Optional.empty()));
    }

    /** Adds a command that is left out if a look prints anything; the step fails if the look does. */
    public Steps thenUnless(List<String> look, List<String> argv) {
        return add("v=$(" + line(look) + ") && { [ -n \"$v\" ] || " + line(argv) + "; }");
    }

    /** Adds a command whose output, one line, replaces {@link #REMEMBERED} in the later steps. */
    public Steps remember(List<String> argv) {
        return add("v=$(" + line(argv) + ")");
    }

    /**
     * Adds a command whose output is the input of another. The second must notice an input that was cut short, as
     * {@code zfs receive} does, since the exit code of the first is lost.
     */
    public Steps pipe(List<String> from, List<String> into) {
        return add(line(from) + " | " + line(into));
    }

    /** Adds a check of what a command prints: it fails unless that is one of these texts, each given as its lines. */
    public Steps expect(List<String> argv, List<List<String>> texts) {
        return add(expecting(argv, texts));
    }

    /** Adds a check of the lines that a command prints: it fails unless they are these, in whatever order. */
    public Steps expectInAnyOrder(List<String> argv, List<String> lines) {
        return add("v=$(" + line(argv) + ") && [ \"$(printf '%s\\n' \"$v\" | LC_ALL=C sort | cksum)\" = "
                + PosixShell.quote(LineDigest.of(lines)) + " ]");
    }

    /**
     * Adds the same check with a reason for its failure, since a command that prints another text does not complain.
     *
     * @param complaint the reason, which the printed text ends
     */
    public Steps expect(List<String> argv, List<List<String>> texts, String complaint) {
        return add("v=$(" + line(argv) + ") && { " + same(texts) + " || { printf '%s%s\\n' "
                + PosixShell.quote(complaint) + " \"$v\" >&2; false; }; }");
    }

    static String expecting(List<String> argv, List<List<String>> texts) {
        return "v=$(" + line(argv) + ") && { " + same(texts) + "; }";
    }

    private static String same(List<List<String>> texts) {
        return texts.stream()
                .map(lines -> "[ \"$v\" = \"$(printf '%s\\n' " + line(lines) + ")\" ]")
                .collect(Collectors.joining(" || "));
    }

    /** Adds a check of what a command prints: it fails if one of the lines is this one. */
    public Steps without(List<String> argv, String text) {
        return add("v=$(" + line(argv) + ") && " + lacking(text));
    }

    /** Adds the same check of something that may not exist: the command may fail if this look fails too. */
    public Steps withoutIn(List<String> look, List<String> argv, String text) {
        String missing = "! " + line(look) + " >/dev/null 2>&1";
        return add("{ v=$(" + line(argv) + " 2>/dev/null) || " + missing + "; } && " + lacking(text));
    }

    /**
     * Returns a check that a line is missing. It requires grep's exit code for that, since a grep that is missing or
     * fails has another.
     */
    private static String lacking(String text) {
        return "{ printf '%s\\n' \"$v\" | LC_ALL=C grep -Fxq -e " + PosixShell.quote(text) + "; [ $? = 1 ]; }";
    }

    /** Adds the removal of something that may not exist; it fails, with the reason, if it still exists afterwards. */
    public Steps remove(List<String> removal, List<String> look) {
        String whether = "! " + line(look) + " >/dev/null 2>&1";
        succeedWithoutIt = true;
        return add(new Line("e=$(" + line(removal) + " 2>&1); " + whether + " || { echo \"$e\" >&2; ", "; }"));
    }

    /**
     * Adds a look at lines of a file, printed as {@code zfs get} prints a property, so that {@link Rows} reads it. On
     * other systems than Linux the property is printed as one that is not set.
     */
    public Steps row(String target, String property, FileLines lines) {
        String words = line(List.of(target, property));
        return add("if " + LINUX + "; then { " + lines.script() + "; } && printf '%s\\t%s\\t%s\\thost\\n' " + words
                + " \"$s\"; else printf '%s\\t%s\\t-\\t-\\n' " + words + "; fi");
    }

    /** Adds a check that fails if the file has other lines than this one, and prints them. */
    public Steps noneBut(FileLines lines, Optional<String> line) {
        return add("if " + LINUX + "; then { " + lines.script() + "; } && { [ -z \"$s\" ] || [ \"$s\" = "
                + PosixShell.quote(line.orElse("")) + " ] || { printf '%s\\n' \"$s\" >&2; false; }; }; fi");
    }

    /**
     * Adds the removal of what a file lists if its only line is this one, and not somebody else's; it fails, with the
     * reason, if there still are lines afterwards.
     */
    public Steps removeWhere(FileLines lines, String line, List<String> removal) {
        return add("if " + LINUX + "; then { " + lines.script() + "; } && if [ \"$s\" = " + PosixShell.quote(line)
                + " ]; then e=$(" + line(removal) + " 2>&1); { " + lines.script()
                + "; } && { [ -z \"$s\" ] || { echo \"$e\" >&2; false; }; }; fi; fi");
    }

    /**
     * Adds a command that may fail half-way, with the commands that undo it then: in the same script, so that only a
     * crash of the storage host can come between.
     */
    public Steps undoing(List<String> argv, List<List<String>> undo) {
        StringBuilder block = new StringBuilder();
        undo.forEach(command -> block.append(line(command)).append("; "));
        return add(new Line(line(argv) + " || { " + block, "; }"));
    }

    private Steps add(String line) {
        return add(new Line(line + " || ", ""));
    }

    private Steps add(Line line) {
        return add(new Step(List.of(line), Optional.empty()));
    }

    private Steps add(Step step) {
        if (steps.size() == MOST) {
            throw new IllegalStateException("more than " + MOST + " steps at once");
        }
        steps.add(step);
        return this;
    }

    static String line(List<String> argv) {
        List<String> words = new ArrayList<>();
        for (String word : argv) {
            words.add(word.equals(REMEMBERED) ? "\"$v\"" : PosixShell.quote(word));
        }
        return String.join(" ", words);
    }

    /** Says whether they succeed if something is found missing, which may be away with its pool. */
    public boolean succeedWithoutIt() {
        return succeedWithoutIt;
    }

    public boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Returns the whole as arguments of {@code /bin/sh}, since the account's login shell may not be a POSIX shell. */
    public List<String> argv() {
        return argv(Preface.NONE);
    }

    /** Returns the same after a preface, which does not count as a step. */
    public List<String> argv(Preface preface) {
        String script = preface.script()
                + IntStream.range(0, steps.size())
                        .boxed()
                        .flatMap(i -> steps.get(i).lines().stream().map(line -> line.exiting(FIRST_CODE + i)))
                        .collect(Collectors.joining("\n"));
        return List.of("/bin/sh", "-c", script);
    }

    /** Returns the step that failed; empty if the exit code is not that of a step. */
    public Optional<FailedStep> failed(int exitCode) {
        int number = exitCode - FIRST_CODE;
        return number >= 0 && number < steps.size()
                ? Optional.of(new FailedStep(number, steps.get(number).part()))
                : Optional.empty();
    }
}
