// The four standard lists, which have separate routes. All other lists share one route.

export const standardLists = {
  position: { operationId: 'listPositions', summary: 'Employee positions' },
  'overtime-eligibility': {
    operationId: 'listOvertimeEligibilities',
    summary: 'Employee overtime eligibility statuses',
  },
  'employment-type': { operationId: 'listEmploymentTypes', summary: 'Employment types' },
  'employee-level': { operationId: 'listEmployeeLevels', summary: 'Employee levels' },
};

export const isStandardList = (list: string) => Object.hasOwn(standardLists, list);
