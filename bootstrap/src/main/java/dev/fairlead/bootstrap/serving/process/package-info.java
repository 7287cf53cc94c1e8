/** What a process needs before it serves: its paths, its signals, its clock. */
@NullMarked
package dev.fairlead.bootstrap.serving.process;

import org.jspecify.annotations.NullMarked;
