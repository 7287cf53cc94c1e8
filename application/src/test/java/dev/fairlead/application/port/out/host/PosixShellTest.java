package dev.fairlead.application.port.out.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** What is quoted is read by a real shell as what it was. */
class PosixShellTest {
    /** Few processes and many words: each try hands a hundred of them to one shell. */
    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void every_word_comes_through_a_real_shell(@ForAll("lists") List<String> words) throws Exception {
        assertThat(throughShell(words)).isEqualTo(words);
    }

    @Provide
    Arbitrary<List<String>> lists() {
        return Arbitraries.oneOf(hostile(), anything()).list().ofSize(100);
    }

    private static Arbitrary<String> hostile() {
        return Arbitraries.strings()
                .withChars("'\"\\$`!*?[]{}()<>|&;#~=%-+ \t\n\r\b\u0007\u001b abz09/.:@,^")
                .ofMaxLength(30);
    }

    private static Arbitrary<String> anything() {
        return Arbitraries.strings()
                .ofMaxLength(40)
                .map(text -> text.codePoints()
                        .filter(c -> c != 0 && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString());
    }

    /** The outer shell hands the line to {@code sh -c} as it is; the JDK could not, in a locale that is not UTF-8. */
    private static List<String> throughShell(List<String> words) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of("printf", "%s\\0"));
        argv.addAll(words);
        Path line = Files.writeString(Files.createTempFile("line", ".sh"), PosixShell.line(argv));
        try {
            Process shell = new ProcessBuilder("/bin/sh", "-c", "exec sh -c \"$(cat \"$0\")\"", line.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return Arrays.asList(said.substring(0, said.length() - 1).split("\0", -1));
        } finally {
            Files.delete(line);
        }
    }

    @Test
    void plain_words_are_left_as_they_are() {
        assertThat(PosixShell.line(List.of("/sbin/zfs", "list", "-Hp", "tank/a_b-c:d@e")))
                .isEqualTo("/sbin/zfs list -Hp tank/a_b-c:d@e");
    }

    @Test
    void the_name_of_a_program_is_neither_a_keyword_nor_an_assignment() {
        assertThat(Stream.of("if", "a=b", "time", "zfs").map(word -> PosixShell.line(List.of(word))))
                .containsExactly("'if'", "'a=b'", "'time'", "'zfs'");
    }

    @Test
    void a_word_with_a_nul_is_refused() {
        assertThatThrownBy(() -> PosixShell.quote("a\0b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NUL");
    }
}
