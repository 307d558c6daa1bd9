// An application with TanStack Router. On the page, `data-order` says whether its router is made before or after resume().
import { createRootRoute, createRoute, createRouter, RouterProvider, useLocation } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { createFrontdesk } from '../../client/src/index.ts';

const { frontdesk: baseUrl = '', order } = document.documentElement.dataset;
const frontdesk = createFrontdesk({ baseUrl });
/** Routes are loaded once it is known who is signed in. */
const resumed = Promise.withResolvers<void>();
const loader = () => resumed.promise.then(() => frontdesk.me());

const rootRoute = createRootRoute();
const startRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: () => <p>The start page</p> });
const employeeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/employees/$id',
  loader,
  component: Employee,
});

function Employee() {
  const { id } = employeeRoute.useParams();
  const { searchStr, hash } = useLocation();
  const { name } = employeeRoute.useLoaderData();
  return <p>{`Employee ${id} ${searchStr} #${hash}, shown to ${name}`}</p>;
}

const makeRouter = () => createRouter({ routeTree: rootRoute.addChildren([startRoute, employeeRoute]) });

async function start() {
  if (order === 'after') {
    if (!(await frontdesk.resume())) await frontdesk.signIn();
    resumed.resolve();
    return makeRouter();
  }
  const router = makeRouter();
  const onReturn = (path: string) => router.history.replace(path);
  if (!(await frontdesk.resume({ onReturn }))) await frontdesk.signIn();
  resumed.resolve();
  return router;
}

createRoot(document.body).render(<RouterProvider router={await start()} />);
