package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.application.port.out.host.PosixShell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several commands that travel to the storage host as one, and end at the first that fails. The exit code tells which
 * one that was; its complaint is on the standard error, what all of them print follows each other.
 */
public final class Steps {
    /**
     * Stands for what {@link #remember} has remembered, as a word of its own in a later step. No word that comes from
     * outside can be the same, since none may hold a NUL.
     */
    public static final String REMEMBERED = "\0remembered";

    private static final String LINUX = "[ -e /proc/version ]";

    /** With which a script ends before its first step, since a look of a {@link Preface} was not what it had to be. */
    static final int PREFACE_CODE = 63;

    static final int FIRST_CODE = 64;
    private static final int MOST = 60;

    /** Of each step its lines: nearly always one. */
    private final List<List<Line>> lines = new ArrayList<>();

    private boolean succeedWithoutIt;

    /** A line around the {@code exit} that tells which step it is. */
    private record Line(String before, String after) {
        String exiting(int code) {
            return before + "exit " + code + after;
        }
    }

    /** Adds a command. */
    public Steps then(List<String> argv) {
        return add(line(argv));
    }

    /** Adds commands as one step, however many: it fails where one of them does. */
    public Steps thenAll(List<List<String>> commands) {
        return together(
                commands.stream().map(command -> new Steps().then(command)).toList());
    }

    /** Adds all the steps of another. */
    public Steps and(Steps others) {
        others.lines.forEach(this::add);
        succeedWithoutIt |= others.succeedWithoutIt;
        return this;
    }

    /** Adds all the steps of others as one, however many: it fails where one of them does. */
    public Steps together(List<Steps> others) {
        succeedWithoutIt |= others.stream().anyMatch(each -> each.succeedWithoutIt);
        List<Line> all = others.stream()
                .flatMap(each -> each.lines.stream())
                .flatMap(List::stream)
                .toList();
        return all.isEmpty() ? this : add(all);
    }

    /** Adds a command that is left out where a look prints anything; it fails where the look does. */
    public Steps thenUnless(List<String> look, List<String> argv) {
        return add("v=$(" + line(look) + ") && { [ -n \"$v\" ] || " + line(argv) + "; }");
    }

    /** Adds a command whose output, a line, stands for {@link #REMEMBERED} from there on. */
    public Steps remember(List<String> argv) {
        return add("v=$(" + line(argv) + ")");
    }

    /**
     * Adds a command whose output is the input of another. That one has to notice an input that was cut short, as
     * {@code zfs receive} does: the first's exit code is lost.
     */
    public Steps pipe(List<String> from, List<String> into) {
        return add(line(from) + " | " + line(into));
    }

    /** Adds a look at what a command prints: it fails where that is none of these texts, each the lines of one. */
    public Steps expect(List<String> argv, List<List<String>> texts) {
        return add(expecting(argv, texts));
    }

    static String expecting(List<String> argv, List<List<String>> texts) {
        String same = texts.stream()
                .map(lines -> "[ \"$v\" = \"$(printf '%s\\n' " + line(lines) + ")\" ]")
                .collect(Collectors.joining(" || "));
        return "v=$(" + line(argv) + ") && { " + same + "; }";
    }

    /** Adds a look at what a command prints: it fails where one of the lines is this one. */
    public Steps without(List<String> argv, String text) {
        return add("v=$(" + line(argv) + ") && " + lacking(text));
    }

    /** The same of what may not be there: the command may fail where this look finds nothing either. */
    public Steps withoutIn(List<String> look, List<String> argv, String text) {
        String missing = "! " + line(look) + " >/dev/null 2>&1";
        return add("{ v=$(" + line(argv) + " 2>/dev/null) || " + missing + "; } && " + lacking(text));
    }

    /** By the exit code that says so: a program that is missing, or that cannot, has another. */
    private static String lacking(String text) {
        return "{ printf '%s\\n' \"$v\" | LC_ALL=C grep -Fxq -e " + PosixShell.quote(text) + "; [ $? = 1 ]; }";
    }

    /** Adds the removal of what may not be there; it fails where it is still there afterwards, with the reason. */
    public Steps remove(List<String> removal, List<String> look) {
        String whether = "! " + line(look) + " >/dev/null 2>&1";
        succeedWithoutIt = true;
        return add(new Line("e=$(" + line(removal) + " 2>&1); " + whether + " || { echo \"$e\" >&2; ", "; }"));
    }

    /**
     * Adds a look at lines of a file, printed as {@code zfs get} prints a property: what {@link Rows} reads. On another
     * system than Linux it is one that is not set.
     */
    public Steps row(String target, String property, FileLines lines) {
        String words = line(List.of(target, property));
        return add("if " + LINUX + "; then { " + lines.script() + "; } && printf '%s\\t%s\\t%s\\thost\\n' " + words
                + " \"$s\"; else printf '%s\\t%s\\t-\\t-\\n' " + words + "; fi");
    }

    /** Adds the same look, which fails where it finds other lines than this one, and says them. */
    public Steps noneBut(FileLines lines, Optional<String> line) {
        return add("if " + LINUX + "; then { " + lines.script() + "; } && { [ -z \"$s\" ] || [ \"$s\" = "
                + PosixShell.quote(line.orElse("")) + " ] || { printf '%s\\n' \"$s\" >&2; false; }; }; fi");
    }

    /**
     * Adds the removal of what a file keeps where its lines are this one, and are not anybody else's; it fails where
     * they are still there afterwards, with the reason.
     */
    public Steps removeWhere(FileLines lines, String line, List<String> removal) {
        return add("if " + LINUX + "; then { " + lines.script() + "; } && if [ \"$s\" = " + PosixShell.quote(line)
                + " ]; then e=$(" + line(removal) + " 2>&1); { " + lines.script()
                + "; } && { [ -z \"$s\" ] || { echo \"$e\" >&2; false; }; }; fi; fi");
    }

    /**
     * Adds a command that may fail half-way, and what undoes it then: in the same script, so that nothing but the death
     * of the storage host itself comes between.
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
        return add(List.of(line));
    }

    private Steps add(List<Line> step) {
        if (lines.size() == MOST) {
            throw new IllegalStateException("more than " + MOST + " steps at once");
        }
        lines.add(step);
        return this;
    }

    static String line(List<String> argv) {
        List<String> words = new ArrayList<>();
        for (String word : argv) {
            words.add(word.equals(REMEMBERED) ? "\"$v\"" : PosixShell.quote(word));
        }
        return String.join(" ", words);
    }

    /** Whether they succeed where something is found missing, which may be away with its pool. */
    public boolean succeedWithoutIt() {
        return succeedWithoutIt;
    }

    public int size() {
        return lines.size();
    }

    /** The whole, for any shell of POSIX; the shell of the account may be another. */
    public List<String> argv() {
        return argv(Preface.NONE);
    }

    /** The same after a look at what is none of its steps. */
    public List<String> argv(Preface preface) {
        String script = preface.script()
                + IntStream.range(0, lines.size())
                        .boxed()
                        .flatMap(i -> lines.get(i).stream().map(line -> line.exiting(FIRST_CODE + i)))
                        .collect(Collectors.joining("\n"));
        return List.of("/bin/sh", "-c", script);
    }

    /** The step that failed, from 0, where it is one of ours that ended the whole. */
    public OptionalInt failed(int exitCode) {
        int step = exitCode - FIRST_CODE;
        return step >= 0 && step < lines.size() ? OptionalInt.of(step) : OptionalInt.empty();
    }
}
