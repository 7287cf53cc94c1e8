package dev.fairlead.adapter.node.mount;

import static dev.fairlead.linux.MountCalls.ATTR_NOATIME;
import static dev.fairlead.linux.MountCalls.ATTR_NOSUID;
import static dev.fairlead.linux.MountCalls.ATTR_RDONLY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BindFlagsTest {
    @Test
    void reading_only_wins_wherever_it_stands() {
        assertThat(BindFlags.of(List.of("rw", "ro")).set()).isEqualTo(ATTR_RDONLY);
        assertThat(BindFlags.of(List.of("ro", "rw")).set()).isEqualTo(ATTR_RDONLY);
        assertThat(BindFlags.of(List.of("noatime,ro", "rw")).set()).isEqualTo(ATTR_RDONLY | ATTR_NOATIME);
    }

    @Test
    void what_is_not_named_stays_as_it_is_at_the_source() {
        List<String> source = List.of("rw", "nosuid", "nodev", "relatime");

        long attributes = BindFlags.of(List.of("ro", "noatime")).applyTo(BindFlags.attributesOf(source));

        assertThat(BindFlags.optionsOf(attributes)).containsExactly("ro", "nosuid", "nodev", "noatime");
    }

    @Test
    void flags_of_the_file_system_itself_are_passed_over_and_named() {
        BindFlags flags = BindFlags.of(List.of("nfsvers=4.2", "noatime", "defaults", "uid=7"));

        assertThat(flags.passedOver()).containsExactly("nfsvers=4.2", "uid=7");
        assertThat(flags.set()).isEqualTo(ATTR_NOATIME);
    }

    @Test
    void what_stands_between_quotes_is_no_flag_of_its_own() {
        BindFlags flags = BindFlags.of(List.of("context=\"a:b:c:s0:c1,suid\",noatime"));

        assertThat(flags.passedOver()).containsExactly("context=\"a:b:c:s0:c1,suid\"");
        assertThat(flags.set()).isEqualTo(ATTR_NOATIME);
        assertThat(flags.clear() & ATTR_NOSUID).isZero();
    }

    @Test
    void flags_that_are_not_in_force_are_noticed() {
        BindFlags flags = BindFlags.of(List.of("ro", "noexec"));

        assertThat(flags.inForce(List.of("ro", "noexec", "relatime"))).isTrue();
        assertThat(flags.inForce(List.of("rw", "noexec", "relatime"))).isFalse();
        assertThat(flags.inForce(List.of("ro", "relatime"))).isFalse();
        assertThat(BindFlags.of(List.of("rw")).inForce(List.of("ro", "relatime")))
                .isFalse();
    }

    @Test
    void the_three_ways_of_access_times_exclude_each_other() {
        assertThat(BindFlags.of(List.of("strictatime")).inForce(List.of("rw"))).isTrue();
        assertThat(BindFlags.of(List.of("strictatime")).inForce(List.of("rw", "relatime")))
                .isFalse();
        assertThat(BindFlags.of(List.of("relatime")).inForce(List.of("rw", "noatime")))
                .isFalse();
        assertThat(BindFlags.of(List.of("noatime", "strictatime")).inForce(List.of("rw")))
                .isTrue();
    }

    @Property(tries = 300)
    void attributes_and_words_say_the_same(
            @ForAll boolean ro,
            @ForAll boolean suid,
            @ForAll boolean dirs,
            @ForAll @Size(max = 3) List<Boolean> atime) {
        long attributes = (ro ? ATTR_RDONLY : 0) | (suid ? 0x2 : 0) | (dirs ? 0x80 : 0);
        attributes |= atime.size() == 3 ? 0 : atime.size() == 2 ? 0x10 : 0x20;

        assertThat(BindFlags.attributesOf(BindFlags.optionsOf(attributes))).isEqualTo(attributes);
    }
}
