package dev.fairlead.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountingTest {
    @TempDir
    private Path folder;

    @Test
    void who_may_administer_the_system_may_mount() throws IOException {
        assertThat(Mounting.obstacle(status("000001ffffffffff"))).isEmpty();
        assertThat(Mounting.obstacle(status("0000000000200000"))).isEmpty();
    }

    @Test
    void who_may_not_is_told_what_to_do() throws IOException {
        assertThat(Mounting.obstacle(status("0000000000000000")))
                .hasValueSatisfying(why -> assertThat(why).contains("sudo ./fairlead demo"));
        assertThat(Mounting.obstacle(status("00000000a80425fb"))).isPresent();
    }

    @Test
    void where_there_is_no_proc_there_is_no_mounting() {
        assertThat(Mounting.obstacle(folder.resolve("missing"))).contains("mounting needs Linux");
    }

    private Path status(String effective) throws IOException {
        return Files.writeString(
                folder.resolve("status-" + effective),
                "Name:\tjava\nCapPrm:\tffffffffffffffff\nCapEff:\t" + effective + "\n");
    }
}
