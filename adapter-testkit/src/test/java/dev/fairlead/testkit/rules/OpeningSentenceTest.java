package dev.fairlead.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpeningSentenceTest {
    @TempDir
    Path folder = Path.of("/nonexistent");

    @Test
    void sentences_that_say_what_a_thing_does_or_is_pass() throws Exception {
        write("""
                /** A grant is one node's right to reach a volume. What it covers is told by its mode. */
                record Grant(String node) {
                    /** The longest name of a node. */
                    static final int MOST = 63;

                    /** Returns the grant of a node. What a node is called, it decides. */
                    static Grant of(String node) { return new Grant(node); }

                    /** {@return the node} */
                    public String node() { return node; }

                    // What stands in a line comment is not looked at.
                    void plain() {}
                }

                /** Reads grants. */
                interface Grants {
                    /**
                     * Says whether there is none.
                     *
                     * @return whether there is none
                     */
                    boolean isEmpty();
                }
                """);

        assertThat(OpeningSentence.otherwise(folder)).isEmpty();
    }

    @Test
    void questions_halves_of_sentences_and_nouns_are_found() throws Exception {
        write("""
                /** What a node may do. */
                record Grant(String node) {
                    /** How long a name is. */
                    static final int MOST = 63;

                    /** The grant of a node. */
                    static Grant of(String node) { return new Grant(node); }

                    /** Volumes of this grant. */
                    int volumes() { return 0; }
                }

                /** A reader of grants. */
                interface Grants {
                    /** Whether there is none. */
                    boolean isEmpty();
                }
                """);

        assertThat(OpeningSentence.otherwise(folder))
                .extracting(line -> line.replaceFirst(".*Grant.java: ", ""))
                .containsExactly(
                        "Grant: What a node may do.",
                        "MOST: How long a name is.",
                        "of(): The grant of a node.",
                        "volumes(): Volumes of this grant.",
                        "Grants: A reader of grants.",
                        "isEmpty(): Whether there is none.");
    }

    @Test
    void a_folder_without_sources_is_no_success() {
        assertThatThrownBy(() -> OpeningSentence.otherwise(folder))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(folder.toString());
    }

    private void write(String source) throws IOException {
        Files.writeString(folder.resolve("Grant.java"), source);
    }
}
