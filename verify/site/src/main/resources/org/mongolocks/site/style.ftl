<#include "page.css" parse=false>
<#include "site.css" parse=false>
