package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.walk.CreateVolumeWalk;
import dev.fairlead.lab.walk.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the walk of a CreateVolume in docs/architecture.md to the way that a running driver goes. */
class CreateVolumeWalkTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern PACKAGE = Pattern.compile("`([a-z.]+)`");
    private static final Pattern CLASSES = Pattern.compile("^(\\d+) classes in ", Pattern.MULTILINE);
    private static final Pattern STEP = Pattern.compile("^ *(?:└ )?([a-z]+(?:\\.[a-z]+)+)", Pattern.MULTILINE);

    /** What one step hands to the next, by the ends of their names. */
    private static final List<String> HANDED_ON = List.of(
            "CreateVolume$Command",
            ".CreateRequest",
            "Exporter$Plan",
            ".PlannedVolume",
            ".BirthPlan",
            ".ShareAtBirth",
            ".NewFolder",
            ".VolumeRecord",
            "VolumeStore$Creation",
            ".StoredVolume",
            ".VolumeView");

    @TempDir
    Path folder;

    @Test
    void the_way_to_a_folder_is_the_documented_one() throws IOException, InterruptedException {
        assertDocumented("To a folder", CreateVolumeWalk.toFolder(folder, DriverFixture.launcherCommand("")));
    }

    @Test
    void the_way_to_zfs_is_the_documented_one() throws IOException, InterruptedException {
        Path zfs = REPOSITORY.resolve("lab/walk.d/zfs");

        assertDocumented("To ZFS", CreateVolumeWalk.toZfs(folder, DriverFixture.launcherCommand(""), zfs));
    }

    private static void assertDocumented(String title, Route route) throws IOException {
        String section = section(title);

        assertThat(route.enteredTwice()).as(route.text()).isEmpty();
        assertThat(words(STEP, section.substring(section.indexOf("```"))))
                .as("the picture of the main line")
                .isEqualTo(route.mainLine());
        assertThat(words(PACKAGE, section.substring(0, section.indexOf("```"))))
                .as("the packages in order, of: %s", route.text())
                .isEqualTo(route.rooms());
        assertThat(route.built())
                .as(route.text())
                .containsKeys(
                        "application.port.in.volume.CreateVolume$Command", "application.port.in.volume.VolumeView")
                .allSatisfy((type, number) -> {
                    if (HANDED_ON.stream().anyMatch(type::endsWith)) {
                        assertThat(number).as(type).isEqualTo(1);
                    }
                })
                .containsEntry("application.port.out.store.VolumeStore$Birth", 2);
        assertThat(route.classes()).as(route.text()).hasSizeLessThanOrEqualTo(documentedClasses(section));
    }

    private static int documentedClasses(String section) {
        return Integer.parseInt(words(CLASSES, section).getFirst());
    }

    private static List<String> words(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static String section(String title) throws IOException {
        String page = Files.readString(REPOSITORY.resolve("docs/architecture.md"));
        String from = page.substring(page.indexOf("### " + title + "\n"));
        return from.substring(0, from.indexOf("\n#", 1));
    }
}
