package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** Describes the folders of a pool by the form of the kind that it has now. */
final class FoundForm implements FolderForm {
    private final FoundKind kind;
    private final BaseFolderLayout layout;
    private final ImageUse images;
    private final ProjectNumbers projects;
    private final Datasets datasets;

    FoundForm(FoundKind kind, BaseFolderLayout layout, ImageUse images, ProjectNumbers projects, Datasets datasets) {
        this.kind = kind;
        this.layout = layout;
        this.images = images;
        this.projects = projects;
        this.datasets = datasets;
    }

    private FolderForm form() {
        return kind.get().form(layout, images, projects, datasets);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        Optional<PoolKind> written = kind.written();
        return written.isPresent()
                ? form().media()
                : Set.of(VolumeMedium.Kind.FILESYSTEM, VolumeMedium.Kind.BLOCK_DEVICE);
    }

    @Override
    public VolumeMedium medium(Path folder) {
        return form().medium(folder);
    }

    @Override
    public void make(Path folder, Work work) throws IOException {
        form().make(folder, work);
    }

    @Override
    public boolean copy(Path source, Path folder, Work work) throws IOException {
        return form().copy(source, folder, work);
    }

    @Override
    public boolean hasInstant() {
        return form().hasInstant();
    }

    @Override
    public boolean copyTogether(Map<Path, Path> copies, Work work) throws IOException {
        return form().copyTogether(copies, work);
    }

    @Override
    public List<String> strays() throws IOException {
        return form().strays();
    }

    @Override
    public boolean settle(Path folder, Work work) throws IOException {
        return form().settle(folder, work);
    }

    @Override
    public String unsettled(Path folder, Capacity size) throws IOException {
        return form().unsettled(folder, size);
    }

    @Override
    public void seal(Path folder, Work work) throws IOException {
        form().seal(folder, work);
    }

    @Override
    public Capacity size(CapacityRange range) {
        return form().size(range);
    }

    @Override
    public void complete(Path folder, Capacity size, Work work) throws IOException {
        form().complete(folder, size, work);
    }

    @Override
    public SortedMap<String, String> fields(Path folder) throws IOException {
        return form().fields(folder);
    }

    @Override
    public String missing(Path folder, Capacity size) throws IOException {
        return form().missing(folder, size);
    }

    @Override
    public String use(Path folder) throws IOException {
        return form().use(folder);
    }

    @Override
    public void checkUnused(String id, Path folder) throws IOException {
        form().checkUnused(id, folder);
    }

    @Override
    public void checkCopy(Path folder) throws IOException {
        form().checkCopy(folder);
    }

    @Override
    public void dispose(Path folder, boolean made, Work work) throws IOException {
        form().dispose(folder, made, work);
    }

    @Override
    public Capacity copySize(Path folder, Capacity size) throws IOException {
        return form().copySize(folder, size);
    }

    @Override
    public Capacity mostCopied(Path folder, Capacity size, Capacity now) throws IOException {
        return form().mostCopied(folder, size, now);
    }

    @Override
    public long mostFiles(Path source, Capacity size) throws IOException {
        return form().mostFiles(source, size);
    }

    @Override
    public String version(Path folder) throws IOException {
        return form().version(folder);
    }

    @Override
    public void checkCopied(Path folder, String version) throws IOException {
        form().checkCopied(folder, version);
    }

    @Override
    public boolean enforcesSize() {
        return form().enforcesSize();
    }
}
