package dev.fairlead.bootstrap.folder;

import dev.fairlead.application.config.Problem;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.List;

/** Is told what has become of the files in the connections folder, one call at a time. */
public interface ConnectionListener {
    /** A file is new, or holds something else than before. */
    void changed(ConnectionName name, byte[] content);

    /** A file is there and cannot be read. */
    void unreadable(ConnectionName name, Problem problem);

    void removed(ConnectionName name);

    /** All files of the folder were looked at, whether or not one had changed. */
    void looked();

    /** What is wrong with the folder itself, or with files in it that can be no connection; told when it changes. */
    void folder(List<Problem> problems);
}
