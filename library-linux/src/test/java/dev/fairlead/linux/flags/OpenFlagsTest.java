package dev.fairlead.linux.flags;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenFlagsTest {
    @Test
    void arm_and_power_have_flags_of_their_own() {
        assertThat(new String[] {"aarch64", "arm", "ppc64le", "ppc64"}).allMatch(OpenFlags::isArmOrPower);
        assertThat(new String[] {"amd64", "x86_64", "riscv64", "s390x", "i386", ""})
                .noneMatch(OpenFlags::isArmOrPower);
    }

    @Test
    void three_families_of_processors_have_three_flags_for_reading_from_a_disk_itself() {
        assertThat(OpenFlags.direct("amd64")).isEqualTo(0x4000);
        assertThat(OpenFlags.direct("aarch64")).isEqualTo(0x10000);
        assertThat(OpenFlags.direct("ppc64le")).isEqualTo(0x20000);
    }
}
