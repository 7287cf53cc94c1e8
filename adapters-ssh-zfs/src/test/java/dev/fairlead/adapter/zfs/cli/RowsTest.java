package dev.fairlead.adapter.zfs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.cli.Rows.UnreadableException;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Map;
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
}
