package dev.fairlead.adapter.zfs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.cli.Rows.UnreadableException;
import dev.fairlead.zfs.property.Property;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowsTest {
    private static final List<String> ASKED = List.of("type", "x:note");

    @Test
    void reads_the_properties_of_each_dataset() throws UnreadableException {
        Map<String, Map<String, Property>> rows = Rows.read("""
                tank/v/b\ttype\tvolume\t-
                tank/v/b\tx:note\t-\t-
                tank/v/a\ttype\tfilesystem\t-
                tank/v/a\tx:note\ttrue\tinherited from tank/v
                """, ASKED);

        assertThat(rows.keySet()).containsExactly("tank/v/a", "tank/v/b");
        assertThat(rows.get("tank/v/a")).containsEntry("x:note", new Property("true", "inherited from tank/v"));
        assertThat(rows.get("tank/v/b")).containsEntry("x:note", new Property("-", "-"));
        assertThat(new Property("-", "-").isSet()).isFalse();
    }

    @Test
    void keeps_tabs_and_line_breaks_of_a_value() throws UnreadableException {
        Map<String, Map<String, Property>> rows =
                Rows.read("tank/v/a\ttype\tvolume\t-\ntank/v/a\tx:note\tone\ttwo\n\nthree\tfour\tlocal\n", ASKED);

        assertThat(rows.get("tank/v/a")).containsEntry("x:note", new Property("one\ttwo\n\nthree\tfour", "local"));
    }

    @Test
    void only_what_was_given_to_the_dataset_itself_is_its_own() {
        assertThat(new Property("true", "local").isOwn()).isTrue();
        assertThat(new Property("true", "received").isOwn()).isTrue();
        assertThat(new Property("true", "inherited from tank").isOwn()).isFalse();
        assertThat(new Property("true", "default").isOwn()).isFalse();
    }

    @Test
    void nothing_is_no_rows() throws UnreadableException {
        assertThat(Rows.read("", ASKED)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tank/v/a\ttype\tvolume\t-\ntank/v/a\tx:note\ttr",
                "tank/v/a\ttype\tvolume\t-\n",
                "Last login: today\ntank/v/a\ttype\tvolume\t-\n",
                "tank/v/a\ttype\tvolume\n",
                "tank/v/a\ttype\tvolume\t-\ntank/v/a\ttype\tvolume\t-\ntank/v/a\tx:note\t-\t-\n"
            })
    void refuses_output_that_was_cut_or_is_not_what_was_asked_for(String output) {
        assertThatThrownBy(() -> Rows.read(output, ASKED)).isInstanceOf(UnreadableException.class);
    }

    /** The memory is that of all connections of a process. */
    @Test
    void a_list_of_thousands_of_volumes_takes_little_more_than_its_text() throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx25m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallProcess.class.getName())
                .redirectErrorStream(true)
                .start();

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.strip()).isEqualTo("3000 volumes");
    }

    /** Reads the list of a connection with many volumes. */
    static final class SmallProcess {
        private SmallProcess() {}

        public static void main(String[] arguments) throws UnreadableException {
            List<String> properties =
                    IntStream.range(0, 20).mapToObj(i -> "x:property-" + i).toList();
            var text = new StringBuilder(8 << 20);
            for (int volume = 0; volume < 3000; volume++) {
                for (int i = 0; i < properties.size(); i++) {
                    text.append("tank/k8s/volumes/pvc-00000000-0000-0000-0000-00000000")
                            .append(1000 + volume)
                            .append('\t')
                            .append(properties.get(i))
                            .append(i % 3 == 0 ? "\tpvc-" + volume + "-and-more-than-a-word\t" : "\t-\t")
                            .append("local\n");
                }
            }
            String output = text.toString();

            System.out.println(Rows.read(output, properties).size() + " volumes");
        }
    }
}
