package dev.fairlead.testkit;

import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes texts that somebody may send by mistake or to do harm: they lead out of a folder, end a string, a line, an
 * argument or a document early, look like something else, or are far too long. They are the same at every run.
 */
public final class HostileInput {
    private static final long SEED = 20_260_102L;

    /**
     * The switch to give {@link #WORST} alone, for storage at which each text costs a call to a slow machine, as in the
     * lab. A test module sets it by a system property, so that no contract need be told.
     */
    private static final boolean SHORT = Boolean.getBoolean("testkit.hostile.short");

    /**
     * One text of each kind that ever mattered to a shell, to a name in ZFS or of an iSCSI target, or to a text format.
     */
    private static final List<String> WORST = List.of(
            "",
            "..",
            "/",
            "x/../y",
            "/etc/passwd",
            "-rf",
            "'; reboot; '",
            "$(reboot)",
            "a b",
            "a\nb",
            "a\0b",
            "é",
            "👩‍👩‍👧‍👦",
            "null",
            "s:a/b",
            "tank@snap",
            "a#b",
            "a%b",
            "a,b",
            "a=b&c",
            "~x",
            "a".repeat(128),
            "a".repeat(256),
            "a".repeat(70_000));

    /** Texts each of which has broken some program. */
    private static final List<String> SEEDS = List.of(
            "",
            " ",
            "  ",
            ".",
            "..",
            "...",
            "/",
            "//",
            "\\",
            "\\\\",
            "-",
            "--",
            "-rf",
            "--help",
            "~",
            "~root",
            "*",
            "?",
            "../..",
            "../../../../etc/passwd",
            "..\\..\\windows",
            "/etc/passwd",
            "/proc/self/mem",
            "./x",
            "x/.",
            "x/..",
            "x/../y",
            "x//y",
            "/x",
            "x/",
            "%2e%2e%2f",
            "%2e%2e/",
            "%00",
            "%n%s%x%d",
            "%1$s",
            "{0}",
            "{}",
            "{{name}}",
            "{{{name}}}",
            "{{#each this}}",
            "${HOME}",
            "$HOME",
            "$(reboot)",
            "`reboot`",
            "; reboot",
            "&& reboot",
            "| reboot",
            "|| reboot",
            "& reboot",
            "> /dev/sda",
            "< /dev/zero",
            "'",
            "\"",
            "''",
            "\"\"",
            "' OR '1'='1",
            "\"; reboot; \"",
            "'; reboot; '",
            "a b",
            "a\tb",
            "a\nb",
            "a\r\nb",
            "\n",
            "\0",
            "a\0b",
            "\u0001",
            "\u001b[2J",
            "\u007f",
            "\u0085",
            "\u2028",
            "\u2029",
            "\u202egnp.exe",
            "\u200b",
            "\ufeff",
            "\u00a0",
            "é",
            "e\u0301",
            "ﬁ",
            "ＡＢＣ",
            "．．／",
            "‥",
            "∕",
            "İ",
            "ß",
            "ǅ",
            "𝕏",
            "👩‍👩‍👧‍👦",
            "null",
            "NULL",
            "undefined",
            "true",
            "false",
            "NaN",
            "Infinity",
            "0",
            "-1",
            "00",
            "0x10",
            "1e309",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
            "{",
            "}",
            "[",
            "]",
            "{\"a\":1}",
            "}}",
            "\"}",
            ",",
            ":",
            ": ",
            "- ",
            "#",
            "# x",
            "&a",
            "*a",
            "!!java.lang.Runtime []",
            "!!binary x",
            "---",
            "...\n",
            "|",
            ">",
            "@",
            "%",
            "`",
            "? x",
            "<x>",
            "</x>",
            "<!--",
            "]]>",
            "<script>",
            "&lt;",
            "=",
            "a=b",
            "a&b=c",
            "key=value\nother=thing",
            "v:",
            "s:",
            "v:a/b",
            "v:/",
            "s:a/b",
            "v:../x",
            "con",
            "nul",
            "aux",
            ".fairlead",
            ".fairlead/volumes",
            "lost+found",
            ".snapshot",
            "v",
            "s",
            "volumes",
            "snapshots",
            "partial",
            "trash",
            "tank@snap",
            "tank/vol@snap",
            "a@b",
            "a#b",
            "a,b",
            "a;b",
            "a:b",
            "a+b",
            "a%b",
            "x.json",
            ".json",
            "x.tmp",
            ".x",
            "x~",
            "CON.txt",
            "x ",
            " x",
            "x.");

    private HostileInput() {}

    /** Returns some thousands of texts of any form, none with a lone surrogate; or only the worst of them. */
    public static Stream<String> texts() {
        if (SHORT) {
            return WORST.stream();
        }
        Set<String> texts = new LinkedHashSet<>(SEEDS);
        for (int length : new int[] {47, 63, 64, 127, 128, 129, 255, 256, 511, 512, 513, 4096, 70_000}) {
            texts.add("a".repeat(length));
        }
        texts.add("é".repeat(128));
        texts.add("../".repeat(100));
        texts.add("a/".repeat(200) + "a");
        Random random = new Random(SEED);
        while (texts.size() < 4000) {
            texts.add(mixed(random));
        }
        return texts.stream();
    }

    private static String mixed(Random random) {
        StringBuilder text = new StringBuilder();
        int parts = 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            switch (random.nextInt(4)) {
                case 0 -> text.append("pvc-").append(random.nextInt(1000));
                case 1 -> text.append((char) random.nextInt(0x20, 0x17F));
                case 2 -> text.appendCodePoint(random.nextInt(0xE000, 0x1FFFF));
                default -> text.append(SEEDS.get(random.nextInt(SEEDS.size())));
            }
        }
        return text.toString();
    }

    /** Returns some two thousand texts that are valid ids and try to be something else; or only the worst of them. */
    public static Stream<NativeId> ids() {
        if (SHORT) {
            return texts().filter(NativeId::isValid).map(NativeId::new);
        }
        Set<String> ids = new LinkedHashSet<>();
        texts().filter(NativeId::isValid).forEach(ids::add);
        Random random = new Random(SEED);
        String allowed = "aZ09__--..::++@@//==&&%%~~,,";
        while (ids.size() < 2000) {
            int length = 1 + random.nextInt(12);
            StringBuilder id = new StringBuilder();
            for (int i = 0; i < length; i++) {
                id.append(allowed.charAt(random.nextInt(allowed.length())));
            }
            if (NativeId.isValid(id.toString())) {
                ids.add(id.toString());
            }
        }
        return ids.stream().map(NativeId::new);
    }

    /**
     * Returns names that CSI allows, each of them unwelcome somewhere. Storage that keeps texts by line and column may
     * refuse a {@link AmbiguousNames torn} one before it makes anything.
     */
    public static Stream<CsiName> names() {
        return Stream.concat(AmbiguousNames.all(), texts())
                .filter(HostileInput::isName)
                .map(CsiName::new);
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.getBytes(StandardCharsets.UTF_8).length <= CsiName.MAX_BYTES
                && text.codePoints()
                        .noneMatch(
                                c -> Character.getType(c) == Character.CONTROL && c != '\t' && c != '\n' && c != '\r');
    }
}
