package dev.fairlead.adapter.local.directory.form;

import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells once what was made for folders of a base and belongs to none, which nobody else would ever find. */
public final class FolderLeftovers {
    private static final Logger LOG = LoggerFactory.getLogger(FolderLeftovers.class);

    private volatile boolean told;

    public void tell(Path base, FolderForm form) {
        if (told) {
            return;
        }
        try {
            List<String> strays = form.strays();
            told = true;
            if (!strays.isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("base", base)
                        .addKeyValue("all", strays.size())
                        .addKeyValue("first", strays.getFirst())
                        .log("something belongs to no volume or snapshot and takes its space; look what it is, and"
                                + " destroy it by hand");
            }
        } catch (IOException | StorageException e) { // the calls on the base tell it too
            LOG.atDebug().addKeyValue("base", base).setCause(e).log("what belongs to no volume is not known");
        }
    }
}
