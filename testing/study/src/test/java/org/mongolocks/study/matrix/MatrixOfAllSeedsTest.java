package org.mongolocks.study.matrix;

import org.junit.jupiter.api.Tag;

/** The tests of the matrix with all seeds. */
@Tag("slow")
class MatrixOfAllSeedsTest extends MatrixTest {
    @Override
    int seeds() {
        return ALL_SEEDS;
    }
}
