package dev.fairlead.adapter.node.settings;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Knows which options an operator may add to a program that makes or checks file systems. Those are left out that force
 * something, answer questions in advance, name a device or a file, only pretend, or give every volume the same UUID.
 */
@SuppressWarnings("ImmutableEnumChecker") // the sets are made by Set.copyOf
enum ProgramOptions {
    MAKE_EXT("mkfs.ext4", "bCeEgGiIJLmMNoOT", "jqv", Set.of(), Set.of()),
    MAKE_XFS("mkfs.xfs", "bdilmnrsL", "qK", Set.of(), Set.of()),
    MAKE_BTRFS(
            "mkfs.btrfs",
            "dmnsOLR",
            "KMqv",
            Set.of(
                    "--data",
                    "--metadata",
                    "--nodesize",
                    "--sectorsize",
                    "--features",
                    "--runtime-features",
                    "--checksum",
                    "--csum",
                    "--label"),
            Set.of("--nodiscard", "--mixed", "--quiet", "--verbose")),
    CHECK_EXT("e2fsck", "E", "fpvtD", Set.of(), Set.of()),
    /** The program {@code fsck} that calls the one of the file system; what it is told changes nothing of the check. */
    CHECK_ANY("fsck", "", "TVMC", Set.of(), Set.of()),
    CHECK_XFS("xfs_repair", "omt", "vP", Set.of(), Set.of()),
    CHECK_BTRFS("btrfs", "", "vq", Set.of(), Set.of("--verbose", "--quiet"));

    /**
     * Finds values that name a device, a file, or one UUID for all. Features are separated by spaces as well, are taken
     * in any case, may have a sign, and may be written by number ({@code FEATURE_I3} is {@code journal_dev}).
     */
    private static final Pattern ELSEWHERE =
            Pattern.compile("(^|,)\\s*((device|logdev|rtdev|name|offset|undo_file|uuid)\\s*=|file\\s*(=|,|$))"
                    + "|(^|[,\\s])[+]?(?i:journal_dev\\b|feature_[cir][+]?[0-9])"
                    + "|/dev/|\\p{Cntrl}|^-|^$");

    private final String program;
    private final String valued;
    private final String plain;
    private final Set<String> longValued;
    private final Set<String> longPlain;

    /**
     * @param valued the letters of options that take a value
     * @param plain the letters of options that take none
     */
    ProgramOptions(String program, String valued, String plain, Set<String> longValued, Set<String> longPlain) {
        this.program = program;
        this.valued = valued;
        this.plain = plain;
        this.longValued = Set.copyOf(longValued);
        this.longPlain = Set.copyOf(longPlain);
    }

    /**
     * Returns the words as the program takes them, each value behind its option.
     *
     * @throws IllegalArgumentException if one of them is not allowed
     */
    List<String> checked(List<String> words) {
        List<String> argv = new ArrayList<>();
        for (Iterator<String> rest = words.iterator(); rest.hasNext(); ) {
            String word = rest.next().strip();
            if (word.startsWith("--")) {
                longOption(word, rest, argv);
            } else if (word.length() > 1 && word.startsWith("-")) {
                option(word, rest, argv);
            } else {
                throw refused(word, "belongs to no option, and " + program + " would take it for a device");
            }
        }
        return List.copyOf(argv);
    }

    private void option(String word, Iterator<String> rest, List<String> argv) {
        if (valued.indexOf(word.charAt(1)) >= 0) {
            argv.add(word.substring(0, 2));
            argv.add(value(word, word.length() > 2 ? word.substring(2).strip() : next(word, rest)));
        } else if (word.chars().skip(1).allMatch(letter -> plain.indexOf(letter) >= 0)) {
            argv.add(word);
        } else {
            throw refused(word, "is not allowed for " + program);
        }
    }

    private void longOption(String word, Iterator<String> rest, List<String> argv) {
        int sign = word.indexOf('=');
        String name = sign < 0 ? word : word.substring(0, sign);
        if (longValued.contains(name)) {
            argv.add(name);
            argv.add(value(word, sign < 0 ? next(word, rest) : word.substring(sign + 1)));
        } else if (longPlain.contains(word)) {
            argv.add(word);
        } else {
            throw refused(word, "is not allowed for " + program);
        }
    }

    private static String next(String word, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw refused(word, "has no value");
        }
        return rest.next().strip();
    }

    private static String value(String word, String value) {
        if (ELSEWHERE.matcher(value).find()) {
            throw refused(
                    word,
                    "has the value '" + value
                            + "', which is none, leads to another place than the volume, or gives all volumes one UUID");
        }
        return value;
    }

    private static IllegalArgumentException refused(String word, String why) {
        return new IllegalArgumentException("'" + word + "' " + why);
    }
}
