/** Makes the answers of LINSTOR's API and their codes. */
@NullMarked
package dev.fairlead.linstor.answer;

import org.jspecify.annotations.NullMarked;
