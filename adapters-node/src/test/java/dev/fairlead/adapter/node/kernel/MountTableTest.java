package dev.fairlead.adapter.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static final String LINE = "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue";

    @Test
    void a_line_of_the_manual_page_is_read() {
        MountEntry entry = MountTable.parseLine(LINE).orElseThrow();

        assertThat(entry)
                .isEqualTo(new MountEntry(
                        36,
                        35,
                        "98:0",
                        "/mnt1",
                        "/mnt2",
                        List.of("rw", "noatime"),
                        "ext3",
                        "/dev/root",
                        List.of("rw", "errors=continue")));
    }

    @Test
    void any_number_of_optional_fields_is_passed_over() {
        assertThat(MountTable.parseLine(LINE.replace("master:1", "shared:7 master:1 propagate_from:2 unbindable")))
                .isEqualTo(MountTable.parseLine(LINE));
        assertThat(MountTable.parseLine(LINE.replace("master:1 ", ""))).isEqualTo(MountTable.parseLine(LINE));
    }

    @Test
    void an_escaped_path_is_told_from_the_path_that_its_escapes_spell() {
        MountEntry blank =
                MountTable.parseLine(LINE.replace("/mnt2", "/a\\040b")).orElseThrow();
        MountEntry spelt =
                MountTable.parseLine(LINE.replace("/mnt2", "/a\\134040b")).orElseThrow();

        assertThat(blank.mountPoint()).isEqualTo("/a b");
        assertThat(spelt.mountPoint()).isEqualTo("/a\\040b");
    }

    @Test
    void a_removed_source_is_not_taken_for_one_made_anew() {
        MountEntry gone =
                MountTable.parseLine(LINE.replace("/mnt1", "/mnt1//deleted")).orElseThrow();

        assertThat(gone.showsSameAs(MountTable.parseLine(LINE).orElseThrow())).isFalse();
    }

    @Test
    void a_source_of_no_name_leaves_the_other_fields_in_place() {
        MountEntry entry = MountTable.parseLine("1 0 0:5 / /x rw - tmpfs  rw").orElseThrow();

        assertThat(entry.source()).isEmpty();
        assertThat(entry.superOptions()).containsExactly("rw");
    }

    @Test
    void of_stacked_mounts_the_last_is_on_top() {
        List<MountEntry> table = MountTable.parse(LINE + "\n" + LINE.replace("36 35", "37 36") + "\n");

        assertThat(MountTable.at(table, "/mnt2"))
                .get()
                .extracting(MountEntry::id)
                .isEqualTo(37);
        assertThat(MountTable.at(table, "/mnt")).isEmpty();
    }

    @Test
    void a_path_lies_in_the_deepest_mount_and_names_are_compared_whole() {
        List<MountEntry> table = MountTable.parse(LINE.replace("/mnt2", "/") + "\n" + LINE.replace("36 35", "37 36"));

        assertThat(MountTable.holding(table, "/mnt2/x"))
                .get()
                .extracting(MountEntry::id)
                .isEqualTo(37);
        assertThat(MountTable.holding(table, "/mnt22/x"))
                .get()
                .extracting(MountEntry::id)
                .isEqualTo(36);
    }

    @Test
    void of_one_device_come_all_its_mounts_and_no_others() {
        String other = "1 0 8:1 / /a\rb rw - ext4 /dev/8:1 rw\n";
        String alike = "2 0 8:11 / /c rw - ext4 8:1 rw\n";
        String again = other.replace("1 0", "3 0");

        assertThat(MountTable.ofDevice(LINE + "\n" + other + alike + again, "8:1"))
                .extracting(MountEntry::id)
                .containsExactly(1, 3);
    }

    /** The kernel writes a context in quotes if there is a comma in it, and other quotes as a file system has them. */
    @Test
    void a_context_with_categories_is_read_as_one_option() {
        String line = "1 0 8:1 / /a rw - ext4 /dev/sda rw,context=\"a:b:c:s0:c1,c2\",noquota";
        String odd = "2 0 0:9 / /b rw - overlay none rw,lowerdir=/x\"y,upperdir=/z";

        assertThat(MountTable.parseLine(line).orElseThrow().superOptions())
                .containsExactly("rw", "context=\"a:b:c:s0:c1,c2\"", "noquota");
        assertThat(MountTable.parseLine(odd).orElseThrow().superOptions())
                .containsExactly("rw", "lowerdir=/x\"y", "upperdir=/z");
    }

    @Test
    void the_table_of_this_process_is_read() throws IOException {
        assertThat(MountTable.read()).extracting(MountEntry::mountPoint).contains("/", "/proc");
    }

    @Property(tries = 500)
    void what_the_kernel_writes_is_read_back(
            @ForAll @NotEmpty @Size(max = 6)
                    List<@NotEmpty @CharRange(from = '!', to = '~') @Chars({' ', '\t', '\n', '\\', '#', 'é'}) String>
                            names) {
        String path = "/" + names.stream().map(name -> name.replace('/', '_')).collect(Collectors.joining("/"));
        String line = "1 0 8:1 / " + escaped(path) + " rw - ext4 " + escaped(path) + " rw";

        List<MountEntry> table = MountTable.parse(LINE + "\n" + line + "\n");

        assertThat(table).hasSize(2);
        assertThat(table.getLast().mountPoint()).isEqualTo(path);
        assertThat(table.getLast().source()).isEqualTo(path);
    }

    @Property(tries = 500)
    void hostile_text_neither_fails_nor_hides_the_lines_around_it(@ForAll String noise) {
        String text = LINE + "\n" + noise.replace('\n', ' ') + "\n" + LINE + "\n";

        assertThatCode(() -> MountTable.parse(text)).doesNotThrowAnyException();
        assertThat(MountTable.parse(text))
                .first()
                .isEqualTo(MountTable.parseLine(LINE).orElseThrow());
        assertThat(MountTable.parse(text))
                .last()
                .isEqualTo(MountTable.parseLine(LINE).orElseThrow());
    }

    private static String escaped(String path) {
        StringBuilder text = new StringBuilder();
        path.chars()
                .forEach(c -> text.append(" \t\n\\#".indexOf(c) >= 0 ? "\\%03o".formatted(c) : Character.toString(c)));
        return text.toString();
    }
}
