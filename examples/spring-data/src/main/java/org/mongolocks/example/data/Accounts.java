package org.mongolocks.example.data;

import org.springframework.data.repository.CrudRepository;

/** The accounts, as a repository. */
interface Accounts extends CrudRepository<Account, Integer> {}
