package dev.fairlead.bootstrap.check;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.check.CheckReport.Checked;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.BackendAssembler.Assembled;
import dev.fairlead.bootstrap.driver.BaseFolders;
import dev.fairlead.bootstrap.folder.FolderListing;
import dev.fairlead.bootstrap.folder.FolderListing.ReadFile;
import dev.fairlead.bootstrap.folder.FolderListing.Unreadable;
import dev.fairlead.bootstrap.settings.MainFile;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Reads a folder of connections, or a driver's own file, exactly as a driver that starts would. */
public final class FolderCheck {
    private final BackendAssembler assembler;
    private final Defaults defaults;
    private final Consumer<Backend> use;

    public FolderCheck(BackendAssembler assembler, Defaults defaults) {
        this(assembler, defaults, FolderCheck::close);
    }

    /** @param use takes each backend that can be used, and closes it */
    public FolderCheck(BackendAssembler assembler, Defaults defaults, Consumer<Backend> use) {
        this.assembler = assembler;
        this.defaults = defaults;
        this.use = use;
    }

    public CheckReport folder(Path folder) {
        if (!Files.isDirectory(folder)) {
            var problems = new Problems(folder.toString());
            problems.error("", 0, "is no folder", "name the folder of the connections' files");
            return CheckReport.ofProblems(problems.all());
        }
        FolderListing listing = FolderListing.of(folder);
        List<Checked> checked = new ArrayList<>();
        BaseFolders bases = BaseFolders.patient(assembler.perNode());
        listing.files()
                .forEach((name, entry) -> checked.add(
                        switch (entry) {
                            case Unreadable(Problem problem) -> new Checked(name.value(), "", List.of(problem));
                            case ReadFile content -> connection(name, content, bases);
                        }));
        return new CheckReport(checked, listing.problems());
    }

    /** @param file the file from which {@code main} was read, for the problems' place */
    public CheckReport single(Path file, MainFile main, MainFile.Single single) {
        if (!single.type().isAvailable()) {
            String summary = single.type().name() + ", for nodes alone";
            return new CheckReport(
                    List.of(new Checked(ConnectionName.SINGLE.value(), summary, main.warnings())), List.of());
        }
        var problems = new Problems(file.toString());
        String summary = assembler
                .assemble(ConnectionName.SINGLE, single.connection(problems))
                .map(this::used)
                .orElse("");
        List<Problem> all = new ArrayList<>(main.warnings());
        all.addAll(problems.all());
        return new CheckReport(List.of(new Checked(ConnectionName.SINGLE.value(), summary, all)), List.of());
    }

    private Checked connection(ConnectionName name, ReadFile content, BaseFolders bases) {
        var problems = new Problems(name + ".yaml");
        Optional<Assembled> assembled = assembler.assemble(name, content.bytes(), defaults, problems);
        String summary = assembled.map(this::used).orElse("");
        List<Problem> all = new ArrayList<>(problems.all());
        assembled
                .flatMap(it ->
                        Optional.ofNullable(bases.take(name, it).get(name)).or(() -> bases.warning(name)))
                .ifPresent(all::add);
        return new Checked(name.value(), summary, all);
    }

    /** Closes a backend without using it. */
    public static void close(Backend backend) {
        backend.exporter().close();
        backend.store().close();
    }

    private String used(Assembled assembled) {
        Backend backend = assembled.backend();
        use.accept(backend);
        return backend.driverType() + ", reachable from "
                + switch (backend.settings().placement()) {
                    case Placement.Anywhere() -> "everywhere";
                    case Placement.Unknown() -> "an unknown place";
                    case Placement.Within(List<Placement.Place> places) -> places(places);
                };
    }

    /**
     * Describes the places in words; labels under a foreign prefix are marked, since this driver's nodes do not report
     * them and somebody else has to set them.
     */
    private static String places(List<Placement.Place> places) {
        List<String> words = new ArrayList<>();
        TreeSet<String> foreign = new TreeSet<>();
        for (Placement.Place place : places) {
            words.add(place.requirements().toString());
            foreign.addAll(place.extra().labels().keySet());
        }
        String text = String.join(" or ", words);
        return foreign.isEmpty() ? text : text + "; nodes must get the label " + foreign + " by other means";
    }
}
